from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ... import errors
from ...models.error_reply import ErrorReply
from ...models.reward_reply import RewardReply
from ...models.verify_request import VerifyRequest
from ...types import UNSET, Response, Unset

if TYPE_CHECKING:
    import httpx

    from ...client import AuthenticatedClient, Client


def _get_kwargs(
    id: str,
    *,
    body: VerifyRequest | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/slots/{id}/verify".format(
            id=quote(str(id), safe=""),
        ),
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ErrorReply | RewardReply | None:
    if response.status_code == 200:
        response_200 = RewardReply.from_dict(response.json())

        return response_200

    if response.status_code == 400:
        response_400 = ErrorReply.from_dict(response.json())

        return response_400

    if response.status_code == 401:
        response_401 = ErrorReply.from_dict(response.json())

        return response_401

    if response.status_code == 403:
        response_403 = ErrorReply.from_dict(response.json())

        return response_403

    if response.status_code == 404:
        response_404 = ErrorReply.from_dict(response.json())

        return response_404

    if response.status_code == 409:
        response_409 = ErrorReply.from_dict(response.json())

        return response_409

    if response.status_code == 410:
        response_410 = ErrorReply.from_dict(response.json())

        return response_410

    if response.status_code == 413:
        response_413 = ErrorReply.from_dict(response.json())

        return response_413

    if response.status_code == 429:
        response_429 = ErrorReply.from_dict(response.json())

        return response_429

    if response.status_code == 502:
        response_502 = ErrorReply.from_dict(response.json())

        return response_502

    if response.status_code == 503:
        response_503 = ErrorReply.from_dict(response.json())

        return response_503

    if client.raise_on_unexpected_status:
        raise errors.UnexpectedStatus(response.status_code, response.content)
    else:
        return None


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ErrorReply | RewardReply]:
    try:
        parsed = _parse_response(client=client, response=response)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise errors.UnparsableResponse(
            response.status_code, response.content
        ) from error
    return Response(
        status_code=response.status_code,
        content=response.content,
        headers=response.headers,
        parsed=parsed,
    )


def sync_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    body: VerifyRequest | Unset = UNSET,
) -> Response[ErrorReply | RewardReply]:
    """Run the task's checker and tell what the episode is worth.

     Waits for the episode's last gate, then runs the task's closing steps and its checker, then the
    audit. It changes the desktop as
    far as the closing steps do (they may save a file or close an application); the episode goes on. An
    exception in the checker, or a
    reference that is missing, is `checker_error` and no score, never a score of 0. A quarantined or
    `down` slot's checker is not run:
    no score, `valid` false, and `checker_skipped` tells why. 409 while the slot is `creating`, or when
    it has no task.

    Args:
        id (str):
        body (VerifyRequest | Unset): Nothing is asked; `{}`, or no body at all.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ErrorReply | RewardReply]
    """

    kwargs = _get_kwargs(
        id=id,
        body=body,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    body: VerifyRequest | Unset = UNSET,
) -> ErrorReply | RewardReply | None:
    """Run the task's checker and tell what the episode is worth.

     Waits for the episode's last gate, then runs the task's closing steps and its checker, then the
    audit. It changes the desktop as
    far as the closing steps do (they may save a file or close an application); the episode goes on. An
    exception in the checker, or a
    reference that is missing, is `checker_error` and no score, never a score of 0. A quarantined or
    `down` slot's checker is not run:
    no score, `valid` false, and `checker_skipped` tells why. 409 while the slot is `creating`, or when
    it has no task.

    Args:
        id (str):
        body (VerifyRequest | Unset): Nothing is asked; `{}`, or no body at all.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ErrorReply | RewardReply
    """

    return sync_detailed(
        id=id,
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    body: VerifyRequest | Unset = UNSET,
) -> Response[ErrorReply | RewardReply]:
    """Run the task's checker and tell what the episode is worth.

     Waits for the episode's last gate, then runs the task's closing steps and its checker, then the
    audit. It changes the desktop as
    far as the closing steps do (they may save a file or close an application); the episode goes on. An
    exception in the checker, or a
    reference that is missing, is `checker_error` and no score, never a score of 0. A quarantined or
    `down` slot's checker is not run:
    no score, `valid` false, and `checker_skipped` tells why. 409 while the slot is `creating`, or when
    it has no task.

    Args:
        id (str):
        body (VerifyRequest | Unset): Nothing is asked; `{}`, or no body at all.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ErrorReply | RewardReply]
    """

    kwargs = _get_kwargs(
        id=id,
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    body: VerifyRequest | Unset = UNSET,
) -> ErrorReply | RewardReply | None:
    """Run the task's checker and tell what the episode is worth.

     Waits for the episode's last gate, then runs the task's closing steps and its checker, then the
    audit. It changes the desktop as
    far as the closing steps do (they may save a file or close an application); the episode goes on. An
    exception in the checker, or a
    reference that is missing, is `checker_error` and no score, never a score of 0. A quarantined or
    `down` slot's checker is not run:
    no score, `valid` false, and `checker_skipped` tells why. 409 while the slot is `creating`, or when
    it has no task.

    Args:
        id (str):
        body (VerifyRequest | Unset): Nothing is asked; `{}`, or no body at all.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ErrorReply | RewardReply
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            body=body,
        )
    ).parsed
