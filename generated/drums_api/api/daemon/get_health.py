from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ... import errors
from ...models.error_reply import ErrorReply
from ...models.health import Health
from ...types import Response

if TYPE_CHECKING:
    import httpx

    from ...client import AuthenticatedClient, Client


def _get_kwargs() -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/health",
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ErrorReply | Health | None:
    if response.status_code == 200:
        response_200 = Health.from_dict(response.json())

        return response_200

    if response.status_code == 401:
        response_401 = ErrorReply.from_dict(response.json())

        return response_401

    if response.status_code == 403:
        response_403 = ErrorReply.from_dict(response.json())

        return response_403

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
) -> Response[ErrorReply | Health]:
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
) -> Response[ErrorReply | Health]:
    """Tell whether the daemon works, and what it can do.

     Touches no desktop and no episode. It needs the token like every other request, so it also tells
    whether the token is good.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ErrorReply | Health]
    """

    kwargs = _get_kwargs()

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
) -> ErrorReply | Health | None:
    """Tell whether the daemon works, and what it can do.

     Touches no desktop and no episode. It needs the token like every other request, so it also tells
    whether the token is good.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ErrorReply | Health
    """

    return sync_detailed(
        client=client,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
) -> Response[ErrorReply | Health]:
    """Tell whether the daemon works, and what it can do.

     Touches no desktop and no episode. It needs the token like every other request, so it also tells
    whether the token is good.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ErrorReply | Health]
    """

    kwargs = _get_kwargs()

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
) -> ErrorReply | Health | None:
    """Tell whether the daemon works, and what it can do.

     Touches no desktop and no episode. It needs the token like every other request, so it also tells
    whether the token is good.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ErrorReply | Health
    """

    return (
        await asyncio_detailed(
            client=client,
        )
    ).parsed
