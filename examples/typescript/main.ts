// A fork of two: one child solves the task, the other does nothing, and both are verified.
import createClient from "openapi-fetch";
import type { components, paths } from "./api/api.js";

type Slot = components["schemas"]["Slot"];

const TASK = "e0df059f-28a6-4169-924f-b9623e7184cc";
const SOLUTION = "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2";

const drums = createClient<paths>({
  baseUrl: process.env["DRUMS_URL"] ?? "http://127.0.0.1:7070",
  headers: { Authorization: `Bearer ${process.env["DRUMS_TOKEN"] ?? ""}` },
});

/** What a call answered; a refusal is thrown with the server's words. */
function done<T>(answer: { data?: T; error?: { error: string }; response: Response }): T {
  if (answer.data === undefined) {
    throw new Error(`${answer.response.status}: ${answer.error?.error ?? "no words"}`);
  }
  return answer.data;
}

async function create(): Promise<Slot> {
  const task = done(await drums.GET("/v1/tasks/{id}", { params: { path: { id: TASK } } }));
  const slot = done(await drums.POST("/v1/slots", { body: { checkpoint: "osworld-ubuntu", task } }));
  if (slot.state !== "ready") {
    throw new Error(`the desktop did not come up: ${slot.last_error ?? slot.state}`);
  }
  return slot;
}

async function execute(id: string, command: string | string[], shell = false): Promise<void> {
  const body = { action: { type: "execute" as const, command, shell } };
  const { result } = done(await drums.POST("/v1/slots/{id}/step", { params: { path: { id } }, body }));
  if (result.returncode !== 0) {
    throw new Error(`${String(command)} failed: ${result.error ?? ""}`);
  }
}

async function screenshot(id: string): Promise<[number, number]> {
  const options = { params: { path: { id } }, parseAs: "arrayBuffer" as const };
  const png = new DataView(done(await drums.GET("/v1/slots/{id}/screenshot", options)));
  return [png.getUint32(16), png.getUint32(20)];
}

async function fork(id: string, n: number): Promise<string[]> {
  const body = { n, delete_state_with_children: true };
  const { children } = done(await drums.POST("/v1/slots/{id}/branch", { params: { path: { id } }, body }));
  return children.map((child) => {
    if (child.error != null || child.id == null) {
      throw new Error(`a child did not come up: ${child.error ?? "it has no id"}`);
    }
    return child.id;
  });
}

async function score(id: string): Promise<number> {
  const reward = done(await drums.POST("/v1/slots/{id}/verify", { params: { path: { id } } }));
  if (!reward.valid || reward.score == null) {
    throw new Error(`no usable reward: ${(reward.invalid_reasons ?? []).join(", ")}`);
  }
  return reward.score;
}

async function sizesOfPages(ids: string[], limit: number): Promise<number[]> {
  const sizes: number[] = [];
  let after: string | null = null;
  do {
    const query = after === null ? { limit } : { limit, after };
    const page: components["schemas"]["SlotPage"] = done(await drums.GET("/v1/slots", { params: { query } }));
    sizes.push(page.items.filter((slot) => ids.includes(slot.id)).length);
    after = page.next_after;
  } while (after !== null);
  return sizes.filter((size) => size > 0);
}

const ids: string[] = [];
try {
  const parent = (await create()).id;
  ids.push(parent);
  await execute(parent, ["ls", "/home/user/Desktop"]);
  console.log("screen", (await screenshot(parent)).join(" x "));
  const [solver, idler] = await fork(parent, 2);
  if (solver === undefined || idler === undefined) {
    throw new Error("two children were asked for");
  }
  ids.push(solver, idler);
  await execute(solver, SOLUTION, true);
  console.log("scores", await score(parent), await score(solver), await score(idler));
  const { error, response } = await drums.GET("/v1/slots/{id}", { params: { path: { id: "no-such-desktop" } } });
  console.log("no such desktop:", response.status, error?.code);
  console.log("pages of 2:", ...(await sizesOfPages(ids, 2)));
} finally {
  for (const id of ids) {
    await drums.DELETE("/v1/slots/{id}", { params: { path: { id } } });
  }
  console.log("closed", ids.length);
}
