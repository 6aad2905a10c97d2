import type { HandlerContext } from '@svc/core'

/** Values that a user can choose from: all of them, or those that a function finds for what was typed. */
export type Complete =
  | readonly string[]
  | ((typed: string, c: HandlerContext) => readonly string[] | Promise<readonly string[]>)

/** The protocol allows no more in one answer. */
const most = 100

export async function completionOf(
  complete: Complete | undefined,
  typed: string,
  c: HandlerContext,
) {
  const found =
    typeof complete === 'function' ? await complete(typed, c) : starting(complete, typed)
  const completion = {
    values: found.slice(0, most),
    total: found.length,
    hasMore: found.length > most,
  }
  return { completion }
}

function starting(all: readonly string[] = [], typed: string) {
  const start = typed.toLowerCase()
  return all.filter((value) => value.toLowerCase().startsWith(start))
}
