from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ... import errors
from ...models.error_reply import ErrorReply
from ...models.gate_report import GateReport
from ...types import UNSET, Response, Unset

if TYPE_CHECKING:
    import httpx

    from ...client import AuthenticatedClient, Client


def _get_kwargs(
    id: str,
    *,
    wait_s: float | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["wait_s"] = wait_s

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/slots/{id}/gates".format(
            id=quote(str(id), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ErrorReply | GateReport | None:
    if response.status_code == 200:
        response_200 = GateReport.from_dict(response.json())

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

    if response.status_code == 410:
        response_410 = ErrorReply.from_dict(response.json())

        return response_410

    if response.status_code == 429:
        response_429 = ErrorReply.from_dict(response.json())

        return response_429

    if response.status_code == 503:
        response_503 = ErrorReply.from_dict(response.json())

        return response_503

    if client.raise_on_unexpected_status:
        raise errors.UnexpectedStatus(response.status_code, response.content)
    else:
        return None


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ErrorReply | GateReport]:
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
    wait_s: float | Unset = UNSET,
) -> Response[ErrorReply | GateReport]:
    """Read the gate report of the current episode.

     Uses the slot; changes neither desktop nor episode. With `wait_s` the reply comes when the verdict
    is no longer pending, or when
    that time is over, whichever is first. Daemons before 0.5 ignore `wait_s` and answer at once.

    Args:
        id (str):
        wait_s (float | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ErrorReply | GateReport]
    """

    kwargs = _get_kwargs(
        id=id,
        wait_s=wait_s,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    wait_s: float | Unset = UNSET,
) -> ErrorReply | GateReport | None:
    """Read the gate report of the current episode.

     Uses the slot; changes neither desktop nor episode. With `wait_s` the reply comes when the verdict
    is no longer pending, or when
    that time is over, whichever is first. Daemons before 0.5 ignore `wait_s` and answer at once.

    Args:
        id (str):
        wait_s (float | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ErrorReply | GateReport
    """

    return sync_detailed(
        id=id,
        client=client,
        wait_s=wait_s,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    wait_s: float | Unset = UNSET,
) -> Response[ErrorReply | GateReport]:
    """Read the gate report of the current episode.

     Uses the slot; changes neither desktop nor episode. With `wait_s` the reply comes when the verdict
    is no longer pending, or when
    that time is over, whichever is first. Daemons before 0.5 ignore `wait_s` and answer at once.

    Args:
        id (str):
        wait_s (float | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ErrorReply | GateReport]
    """

    kwargs = _get_kwargs(
        id=id,
        wait_s=wait_s,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    wait_s: float | Unset = UNSET,
) -> ErrorReply | GateReport | None:
    """Read the gate report of the current episode.

     Uses the slot; changes neither desktop nor episode. With `wait_s` the reply comes when the verdict
    is no longer pending, or when
    that time is over, whichever is first. Daemons before 0.5 ignore `wait_s` and answer at once.

    Args:
        id (str):
        wait_s (float | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ErrorReply | GateReport
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            wait_s=wait_s,
        )
    ).parsed
