from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ... import errors
from ...models.branch_reply import BranchReply
from ...models.branch_request import BranchRequest
from ...models.error_reply import ErrorReply
from ...types import Response

if TYPE_CHECKING:
    import httpx

    from ...client import AuthenticatedClient, Client


def _get_kwargs(
    id: str,
    *,
    body: BranchRequest,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/slots/{id}/branch".format(
            id=quote(str(id), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> BranchReply | ErrorReply | None:
    if response.status_code == 200:
        response_200 = BranchReply.from_dict(response.json())

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
) -> Response[BranchReply | ErrorReply]:
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
    body: BranchRequest,
) -> Response[BranchReply | ErrorReply]:
    """Save the desktop and start n copies of it; it keeps running.

     Waits for a still desktop, saves it, and starts `n` children from the saved state at the same time,
    running processes included. The
    parent is paused for a moment and goes on in its episode. Each child is a slot of its own with the
    parent's task, in its own episode 1 with
    its own gates; the setup does not run again. A child that does not come up carries `error` and the
    reply is a 200 all the same. 409
    `not_quiescent`: nothing was captured. Beyond the capacity it is refused before anything starts: 403
    `quota_exceeded`, 429
    `overloaded`. When the reply is lost children may exist: look for slots with this `parent`.

    Args:
        id (str):
        body (BranchRequest): How many children, how long to wait for a still desktop, and the
            leases of the children and of their state.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[BranchReply | ErrorReply]
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
    body: BranchRequest,
) -> BranchReply | ErrorReply | None:
    """Save the desktop and start n copies of it; it keeps running.

     Waits for a still desktop, saves it, and starts `n` children from the saved state at the same time,
    running processes included. The
    parent is paused for a moment and goes on in its episode. Each child is a slot of its own with the
    parent's task, in its own episode 1 with
    its own gates; the setup does not run again. A child that does not come up carries `error` and the
    reply is a 200 all the same. 409
    `not_quiescent`: nothing was captured. Beyond the capacity it is refused before anything starts: 403
    `quota_exceeded`, 429
    `overloaded`. When the reply is lost children may exist: look for slots with this `parent`.

    Args:
        id (str):
        body (BranchRequest): How many children, how long to wait for a still desktop, and the
            leases of the children and of their state.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        BranchReply | ErrorReply
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
    body: BranchRequest,
) -> Response[BranchReply | ErrorReply]:
    """Save the desktop and start n copies of it; it keeps running.

     Waits for a still desktop, saves it, and starts `n` children from the saved state at the same time,
    running processes included. The
    parent is paused for a moment and goes on in its episode. Each child is a slot of its own with the
    parent's task, in its own episode 1 with
    its own gates; the setup does not run again. A child that does not come up carries `error` and the
    reply is a 200 all the same. 409
    `not_quiescent`: nothing was captured. Beyond the capacity it is refused before anything starts: 403
    `quota_exceeded`, 429
    `overloaded`. When the reply is lost children may exist: look for slots with this `parent`.

    Args:
        id (str):
        body (BranchRequest): How many children, how long to wait for a still desktop, and the
            leases of the children and of their state.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[BranchReply | ErrorReply]
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
    body: BranchRequest,
) -> BranchReply | ErrorReply | None:
    """Save the desktop and start n copies of it; it keeps running.

     Waits for a still desktop, saves it, and starts `n` children from the saved state at the same time,
    running processes included. The
    parent is paused for a moment and goes on in its episode. Each child is a slot of its own with the
    parent's task, in its own episode 1 with
    its own gates; the setup does not run again. A child that does not come up carries `error` and the
    reply is a 200 all the same. 409
    `not_quiescent`: nothing was captured. Beyond the capacity it is refused before anything starts: 403
    `quota_exceeded`, 429
    `overloaded`. When the reply is lost children may exist: look for slots with this `parent`.

    Args:
        id (str):
        body (BranchRequest): How many children, how long to wait for a still desktop, and the
            leases of the children and of their state.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        BranchReply | ErrorReply
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            body=body,
        )
    ).parsed
