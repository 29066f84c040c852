from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ... import errors
from ...models.empty_request import EmptyRequest
from ...models.error_reply import ErrorReply
from ...models.metrics import Metrics
from ...types import UNSET, Response, Unset

if TYPE_CHECKING:
    import httpx

    from ...client import AuthenticatedClient, Client


def _get_kwargs(
    *,
    body: EmptyRequest | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/metrics/reset",
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ErrorReply | Metrics | None:
    if response.status_code == 200:
        response_200 = Metrics.from_dict(response.json())

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

    if response.status_code == 413:
        response_413 = ErrorReply.from_dict(response.json())

        return response_413

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
) -> Response[ErrorReply | Metrics]:
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
    *,
    client: AuthenticatedClient | Client,
    body: EmptyRequest | Unset = UNSET,
) -> Response[ErrorReply | Metrics]:
    """Close the current window and open the next one.

     Touches no desktop and no episode. The closed window's ledger goes to the daemon's event log; the
    figures start from zero.

    Args:
        body (EmptyRequest | Unset): Nothing is asked; `{}`, or no body at all.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ErrorReply | Metrics]
    """

    kwargs = _get_kwargs(
        body=body,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
    body: EmptyRequest | Unset = UNSET,
) -> ErrorReply | Metrics | None:
    """Close the current window and open the next one.

     Touches no desktop and no episode. The closed window's ledger goes to the daemon's event log; the
    figures start from zero.

    Args:
        body (EmptyRequest | Unset): Nothing is asked; `{}`, or no body at all.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ErrorReply | Metrics
    """

    return sync_detailed(
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: EmptyRequest | Unset = UNSET,
) -> Response[ErrorReply | Metrics]:
    """Close the current window and open the next one.

     Touches no desktop and no episode. The closed window's ledger goes to the daemon's event log; the
    figures start from zero.

    Args:
        body (EmptyRequest | Unset): Nothing is asked; `{}`, or no body at all.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ErrorReply | Metrics]
    """

    kwargs = _get_kwargs(
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    body: EmptyRequest | Unset = UNSET,
) -> ErrorReply | Metrics | None:
    """Close the current window and open the next one.

     Touches no desktop and no episode. The closed window's ledger goes to the daemon's event log; the
    figures start from zero.

    Args:
        body (EmptyRequest | Unset): Nothing is asked; `{}`, or no body at all.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ErrorReply | Metrics
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
        )
    ).parsed
