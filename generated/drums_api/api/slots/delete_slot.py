from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ... import errors
from ...models.error_reply import ErrorReply
from ...models.slot import Slot
from ...types import Response

if TYPE_CHECKING:
    import httpx

    from ...client import AuthenticatedClient, Client


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/v1/slots/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ErrorReply | Slot | None:
    if response.status_code == 200:
        response_200 = Slot.from_dict(response.json())

        return response_200

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
) -> Response[ErrorReply | Slot]:
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
) -> Response[ErrorReply | Slot]:
    """End a desktop for good.

     The desktop's processes are killed and its disk is freed; its episode ends. Allowed in every state.
    A saved state with
    `delete_with_children` goes with its last child. A slot that is already destroyed is a 410.

    Args:
        id (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ErrorReply | Slot]
    """

    kwargs = _get_kwargs(
        id=id,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    id: str,
    *,
    client: AuthenticatedClient | Client,
) -> ErrorReply | Slot | None:
    """End a desktop for good.

     The desktop's processes are killed and its disk is freed; its episode ends. Allowed in every state.
    A saved state with
    `delete_with_children` goes with its last child. A slot that is already destroyed is a 410.

    Args:
        id (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ErrorReply | Slot
    """

    return sync_detailed(
        id=id,
        client=client,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[ErrorReply | Slot]:
    """End a desktop for good.

     The desktop's processes are killed and its disk is freed; its episode ends. Allowed in every state.
    A saved state with
    `delete_with_children` goes with its last child. A slot that is already destroyed is a 410.

    Args:
        id (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ErrorReply | Slot]
    """

    kwargs = _get_kwargs(
        id=id,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    id: str,
    *,
    client: AuthenticatedClient | Client,
) -> ErrorReply | Slot | None:
    """End a desktop for good.

     The desktop's processes are killed and its disk is freed; its episode ends. Allowed in every state.
    A saved state with
    `delete_with_children` goes with its last child. A slot that is already destroyed is a 410.

    Args:
        id (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ErrorReply | Slot
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
        )
    ).parsed
