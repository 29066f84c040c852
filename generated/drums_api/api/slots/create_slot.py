from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ... import errors
from ...models.create_slot_request import CreateSlotRequest
from ...models.error_reply import ErrorReply
from ...models.slot import Slot
from ...types import Response

if TYPE_CHECKING:
    import httpx

    from ...client import AuthenticatedClient, Client


def _get_kwargs(
    *,
    body: CreateSlotRequest,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/slots",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ErrorReply | Slot | None:
    if response.status_code == 200:
        response_200 = Slot.from_dict(response.json())

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

    if response.status_code == 413:
        response_413 = ErrorReply.from_dict(response.json())

        return response_413

    if response.status_code == 422:
        response_422 = ErrorReply.from_dict(response.json())

        return response_422

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
    *,
    client: AuthenticatedClient | Client,
    body: CreateSlotRequest,
) -> Response[ErrorReply | Slot]:
    """Start a desktop from an image or a saved state.

     Starts a desktop and its episode 1, runs the task's setup, and begins to take the episode's gates.
    The reply comes when the
    desktop is up and the setup is done; the last gates may still be pending. A desktop that does not
    come up, or whose setup fails,
    is a 200 too: its record is in state `down` and `last_error` starts with `restore failed` or `task
    setup failed`; delete it. A
    checkpoint that does not exist is a 404. A creation beyond the capacity is refused before anything
    starts: 403
    `quota_exceeded` or 429 `overloaded`. When the reply is lost the slot may exist: look for it with
    `list_slots`.

    Args:
        body (CreateSlotRequest): What to start a desktop from, and for how long.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ErrorReply | Slot]
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
    body: CreateSlotRequest,
) -> ErrorReply | Slot | None:
    """Start a desktop from an image or a saved state.

     Starts a desktop and its episode 1, runs the task's setup, and begins to take the episode's gates.
    The reply comes when the
    desktop is up and the setup is done; the last gates may still be pending. A desktop that does not
    come up, or whose setup fails,
    is a 200 too: its record is in state `down` and `last_error` starts with `restore failed` or `task
    setup failed`; delete it. A
    checkpoint that does not exist is a 404. A creation beyond the capacity is refused before anything
    starts: 403
    `quota_exceeded` or 429 `overloaded`. When the reply is lost the slot may exist: look for it with
    `list_slots`.

    Args:
        body (CreateSlotRequest): What to start a desktop from, and for how long.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ErrorReply | Slot
    """

    return sync_detailed(
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: CreateSlotRequest,
) -> Response[ErrorReply | Slot]:
    """Start a desktop from an image or a saved state.

     Starts a desktop and its episode 1, runs the task's setup, and begins to take the episode's gates.
    The reply comes when the
    desktop is up and the setup is done; the last gates may still be pending. A desktop that does not
    come up, or whose setup fails,
    is a 200 too: its record is in state `down` and `last_error` starts with `restore failed` or `task
    setup failed`; delete it. A
    checkpoint that does not exist is a 404. A creation beyond the capacity is refused before anything
    starts: 403
    `quota_exceeded` or 429 `overloaded`. When the reply is lost the slot may exist: look for it with
    `list_slots`.

    Args:
        body (CreateSlotRequest): What to start a desktop from, and for how long.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ErrorReply | Slot]
    """

    kwargs = _get_kwargs(
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    body: CreateSlotRequest,
) -> ErrorReply | Slot | None:
    """Start a desktop from an image or a saved state.

     Starts a desktop and its episode 1, runs the task's setup, and begins to take the episode's gates.
    The reply comes when the
    desktop is up and the setup is done; the last gates may still be pending. A desktop that does not
    come up, or whose setup fails,
    is a 200 too: its record is in state `down` and `last_error` starts with `restore failed` or `task
    setup failed`; delete it. A
    checkpoint that does not exist is a 404. A creation beyond the capacity is refused before anything
    starts: 403
    `quota_exceeded` or 429 `overloaded`. When the reply is lost the slot may exist: look for it with
    `list_slots`.

    Args:
        body (CreateSlotRequest): What to start a desktop from, and for how long.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ErrorReply | Slot
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
        )
    ).parsed
