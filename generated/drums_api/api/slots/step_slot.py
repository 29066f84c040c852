from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ... import errors
from ...models.error_reply import ErrorReply
from ...models.step_reply import StepReply
from ...models.step_request import StepRequest
from ...types import Response

if TYPE_CHECKING:
    import httpx

    from ...client import AuthenticatedClient, Client


def _get_kwargs(
    id: str,
    *,
    body: StepRequest,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/slots/{id}/step".format(
            id=quote(str(id), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ErrorReply | StepReply | None:
    if response.status_code == 200:
        response_200 = StepReply.from_dict(response.json())

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
) -> Response[ErrorReply | StepReply]:
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
    body: StepRequest,
) -> Response[ErrorReply | StepReply]:
    """Do one action on the desktop.

     The action runs inside the desktop as its user, not as root, and belongs to the current episode. A
    `pyautogui` or `execute`
    action is waited for, 120 s at most; a `launch` is not. An action that failed inside the desktop is
    a 200 with its `returncode`.
    A `signal` says something of the task instead of acting, a `batch` does several actions in one turn;
    a daemon without the
    capability `signals` or `batch` refuses them with 400. Any action discards a prefork. A desktop that
    does not answer is a 502; the action may have been done. 409 unless the slot
    is `ready`.

    Args:
        id (str):
        body (StepRequest): One action, and whether to look at the screen after it.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ErrorReply | StepReply]
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
    body: StepRequest,
) -> ErrorReply | StepReply | None:
    """Do one action on the desktop.

     The action runs inside the desktop as its user, not as root, and belongs to the current episode. A
    `pyautogui` or `execute`
    action is waited for, 120 s at most; a `launch` is not. An action that failed inside the desktop is
    a 200 with its `returncode`.
    A `signal` says something of the task instead of acting, a `batch` does several actions in one turn;
    a daemon without the
    capability `signals` or `batch` refuses them with 400. Any action discards a prefork. A desktop that
    does not answer is a 502; the action may have been done. 409 unless the slot
    is `ready`.

    Args:
        id (str):
        body (StepRequest): One action, and whether to look at the screen after it.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ErrorReply | StepReply
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
    body: StepRequest,
) -> Response[ErrorReply | StepReply]:
    """Do one action on the desktop.

     The action runs inside the desktop as its user, not as root, and belongs to the current episode. A
    `pyautogui` or `execute`
    action is waited for, 120 s at most; a `launch` is not. An action that failed inside the desktop is
    a 200 with its `returncode`.
    A `signal` says something of the task instead of acting, a `batch` does several actions in one turn;
    a daemon without the
    capability `signals` or `batch` refuses them with 400. Any action discards a prefork. A desktop that
    does not answer is a 502; the action may have been done. 409 unless the slot
    is `ready`.

    Args:
        id (str):
        body (StepRequest): One action, and whether to look at the screen after it.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ErrorReply | StepReply]
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
    body: StepRequest,
) -> ErrorReply | StepReply | None:
    """Do one action on the desktop.

     The action runs inside the desktop as its user, not as root, and belongs to the current episode. A
    `pyautogui` or `execute`
    action is waited for, 120 s at most; a `launch` is not. An action that failed inside the desktop is
    a 200 with its `returncode`.
    A `signal` says something of the task instead of acting, a `batch` does several actions in one turn;
    a daemon without the
    capability `signals` or `batch` refuses them with 400. Any action discards a prefork. A desktop that
    does not answer is a 502; the action may have been done. 409 unless the slot
    is `ready`.

    Args:
        id (str):
        body (StepRequest): One action, and whether to look at the screen after it.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ErrorReply | StepReply
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            body=body,
        )
    ).parsed
