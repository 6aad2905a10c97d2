import { createHash } from 'node:crypto'
import { ValidationError } from '../errors/contract.ts'
import { type AnySchema, isStandardSchema, type OutputOf } from '../schema/schema.ts'
import { validator } from '../schema/server.ts'

/** A page, and where the next one begins. */
export interface CursorPage<Item> {
  items: Item[]
  /** The `after` of the next page; unset on the last. */
  next?: string
}

/** The place where a page begins in one order, as text that means nothing to clients. */
export interface Cursor<Place> {
  write(place: Place): string
  /**
   * Undefined for the first page. Throws a `ValidationError` for text that this order has not
   * written.
   */
  read(after: string | undefined): Place | undefined
  /** Makes a page of its rows and one row more, which shows whether there is a next page. */
  page<Row>(rows: readonly Row[], limit: number, place: (last: Row) => Place): CursorPage<Row>
}

/**
 * The cursor of an order: `defineCursor('orders, newest first', t.Object({ at: t.String(), id:
 * t.String() }))`. Under another name, older cursors are refused: rename it when the order changes.
 */
export function defineCursor<Schema extends AnySchema>(
  name: string,
  schema: Schema,
): Cursor<OutputOf<Schema>> {
  type Place = OutputOf<Schema>
  if (isStandardSchema(schema)) throw new Error('A cursor takes a schema of TypeBox.')
  let compiled: ReturnType<typeof validator> | undefined
  const tag = createHash('sha256').update(name).digest('base64url').slice(0, 8)

  const write = (place: Place) => Buffer.from(JSON.stringify([tag, place])).toString('base64url')

  function read(after: string | undefined): Place | undefined {
    if (after === undefined) return undefined
    const written = parsed(after)
    if (!Array.isArray(written) || written[0] !== tag) throw foreign()
    compiled ??= validator(schema, 'cursor')
    const checked = compiled(written[1]) as { value?: unknown; fields?: unknown }
    if (checked.fields) throw foreign()
    return checked.value as Place
  }

  return {
    write,
    read,
    page(rows, limit, place) {
      const items = rows.slice(0, limit)
      const last = rows.length > limit ? items.at(-1) : undefined
      return { items, ...(last !== undefined && { next: write(place(last)) }) }
    },
  }
}

function parsed(after: string): unknown {
  try {
    const text = Buffer.from(after, 'base64url').toString()
    // PostgreSQL's text can't contain it: a statement with it would fail.
    return text.includes('\\u0000') ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

const foreign = () =>
  new ValidationError({
    fields: [{ path: 'query.after', message: 'Send the `next` of a page of the same list.' }],
  })
