interface Waiting<Row> {
  promise: Promise<Row | null>
  resolve: (row: Row | Promise<Row> | null) => void
  reject: (error: unknown) => void
}

type ReadAll<Row> = (
  names: string[],
  found: (name: string, row: Row | Promise<Row>) => void,
) => Promise<void>

/** One call for all that is asked for in the same turn of the event loop. */
export function sharingTurns<Row>(readAll: ReadAll<Row>) {
  let turn = new Map<string, Waiting<Row>>()

  async function readTurn() {
    const waiting = turn
    turn = new Map()
    try {
      await readAll([...waiting.keys()], (name, row) => waiting.get(name)?.resolve(row))
      // The requests whose name has a row are resolved already.
      for (const { resolve } of waiting.values()) resolve(null)
    } catch (error) {
      for (const { reject } of waiting.values()) reject(error)
    }
  }

  return (name: string) => {
    const same = turn.get(name)
    if (same) return same.promise
    // After the sockets of this turn have been read, so that all their requests are here.
    if (turn.size === 0) setImmediate(() => void readTurn())
    const waiting = Promise.withResolvers<Row | null>()
    turn.set(name, waiting)
    return waiting.promise
  }
}

/** The name of something in a tenant, and back. */
export const nameOf = (id: string, tenant: string) => JSON.stringify([id, tenant])
export const pairOf = (name: string) => JSON.parse(name) as readonly [id: string, tenant: string]
