/** Whether it is to be awaited: Drizzle's queries are promises by their `then` only. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function'
}
