from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ... import errors
from ...models.error_reply import ErrorReply
from ...models.slot_page import SlotPage
from ...types import UNSET, Response, Unset

if TYPE_CHECKING:
    import httpx

    from ...client import AuthenticatedClient, Client


def _get_kwargs(
    *,
    limit: int | Unset = UNSET,
    after: str | Unset = UNSET,
    include_destroyed: bool | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["after"] = after

    params["include_destroyed"] = include_destroyed

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/slots",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ErrorReply | SlotPage | None:
    if response.status_code == 200:
        response_200 = SlotPage.from_dict(response.json())

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
) -> Response[ErrorReply | SlotPage]:
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
    limit: int | Unset = UNSET,
    after: str | Unset = UNSET,
    include_destroyed: bool | Unset = UNSET,
) -> Response[ErrorReply | SlotPage]:
    """List slot records, page by page.

     Touches no desktop, no episode and no lease. Send `limit`: this document describes the page that
    answers it. Without `limit`
    the reply is a bare JSON array of all live slots, as it was before pages existed. Daemons before 0.4
    ignore the query and
    answer a bare array of all slots, destroyed ones included; a client that talks to them must accept
    that.

    Args:
        limit (int | Unset):
        after (str | Unset):
        include_destroyed (bool | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ErrorReply | SlotPage]
    """

    kwargs = _get_kwargs(
        limit=limit,
        after=after,
        include_destroyed=include_destroyed,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
    limit: int | Unset = UNSET,
    after: str | Unset = UNSET,
    include_destroyed: bool | Unset = UNSET,
) -> ErrorReply | SlotPage | None:
    """List slot records, page by page.

     Touches no desktop, no episode and no lease. Send `limit`: this document describes the page that
    answers it. Without `limit`
    the reply is a bare JSON array of all live slots, as it was before pages existed. Daemons before 0.4
    ignore the query and
    answer a bare array of all slots, destroyed ones included; a client that talks to them must accept
    that.

    Args:
        limit (int | Unset):
        after (str | Unset):
        include_destroyed (bool | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ErrorReply | SlotPage
    """

    return sync_detailed(
        client=client,
        limit=limit,
        after=after,
        include_destroyed=include_destroyed,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    limit: int | Unset = UNSET,
    after: str | Unset = UNSET,
    include_destroyed: bool | Unset = UNSET,
) -> Response[ErrorReply | SlotPage]:
    """List slot records, page by page.

     Touches no desktop, no episode and no lease. Send `limit`: this document describes the page that
    answers it. Without `limit`
    the reply is a bare JSON array of all live slots, as it was before pages existed. Daemons before 0.4
    ignore the query and
    answer a bare array of all slots, destroyed ones included; a client that talks to them must accept
    that.

    Args:
        limit (int | Unset):
        after (str | Unset):
        include_destroyed (bool | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ErrorReply | SlotPage]
    """

    kwargs = _get_kwargs(
        limit=limit,
        after=after,
        include_destroyed=include_destroyed,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    limit: int | Unset = UNSET,
    after: str | Unset = UNSET,
    include_destroyed: bool | Unset = UNSET,
) -> ErrorReply | SlotPage | None:
    """List slot records, page by page.

     Touches no desktop, no episode and no lease. Send `limit`: this document describes the page that
    answers it. Without `limit`
    the reply is a bare JSON array of all live slots, as it was before pages existed. Daemons before 0.4
    ignore the query and
    answer a bare array of all slots, destroyed ones included; a client that talks to them must accept
    that.

    Args:
        limit (int | Unset):
        after (str | Unset):
        include_destroyed (bool | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ErrorReply | SlotPage
    """

    return (
        await asyncio_detailed(
            client=client,
            limit=limit,
            after=after,
            include_destroyed=include_destroyed,
        )
    ).parsed
