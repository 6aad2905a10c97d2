/** Whether it must be awaited: Drizzle's queries are promises only because they have `then`. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function'
}
