from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ... import errors
from ...models.checkpoint import Checkpoint
from ...models.error_reply import ErrorReply
from ...types import Response

if TYPE_CHECKING:
    import httpx

    from ...client import AuthenticatedClient, Client


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/v1/checkpoints/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Checkpoint | ErrorReply | None:
    if response.status_code == 200:
        response_200 = Checkpoint.from_dict(response.json())

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

    if response.status_code == 409:
        response_409 = ErrorReply.from_dict(response.json())

        return response_409

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
) -> Response[Checkpoint | ErrorReply]:
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
) -> Response[Checkpoint | ErrorReply]:
    """Delete a saved state.

     The state's disk and memory are freed; desktops and episodes are not touched. Refused with 409 while
    a slot that was made from
    it exists, and for an image.

    Args:
        id (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Checkpoint | ErrorReply]
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
) -> Checkpoint | ErrorReply | None:
    """Delete a saved state.

     The state's disk and memory are freed; desktops and episodes are not touched. Refused with 409 while
    a slot that was made from
    it exists, and for an image.

    Args:
        id (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Checkpoint | ErrorReply
    """

    return sync_detailed(
        id=id,
        client=client,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[Checkpoint | ErrorReply]:
    """Delete a saved state.

     The state's disk and memory are freed; desktops and episodes are not touched. Refused with 409 while
    a slot that was made from
    it exists, and for an image.

    Args:
        id (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Checkpoint | ErrorReply]
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
) -> Checkpoint | ErrorReply | None:
    """Delete a saved state.

     The state's disk and memory are freed; desktops and episodes are not touched. Refused with 409 while
    a slot that was made from
    it exists, and for an image.

    Args:
        id (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Checkpoint | ErrorReply
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
        )
    ).parsed
