import { presenceFrame } from '../events/contract.ts'
import type { SSEMessage } from './notice.ts'

/** The followers of a channel, and what has changed since a handler was last called. */
export interface ChannelPresence {
  /** The subjects, such as users' ids. The client's own is one of them. */
  readonly present: readonly string[]
  readonly joined: readonly string[]
  readonly left: readonly string[]
}

/** The server's message about a channel: who is there, or who has come or gone. */
export interface ToldPresence {
  readonly channel: string
  readonly present?: readonly string[] | undefined
  readonly joined?: readonly string[] | undefined
  readonly left?: readonly string[] | undefined
}

/**
 * Undefined for another kind of frame. An event of a router without presence may have this name.
 */
export function toldIn(
  { event, data }: SSEMessage,
  asked: readonly string[],
): ToldPresence | undefined {
  if (event !== presenceFrame || asked.includes(presenceFrame)) return undefined
  const { channel, present, joined, left } = (data ?? {}) as Record<string, unknown>
  if (typeof channel !== 'string') return undefined
  return { channel, present: listOf(present), joined: listOf(joined), left: listOf(left) }
}

/** Whether it belongs to a name that was asked for. */
export function isAskedFor(message: SSEMessage, asked: readonly string[]) {
  return asked.includes(toldIn(message, asked)?.channel ?? message.event)
}

/** The followers of channels, as far as the client knows. */
export class KnownPresence {
  readonly #channels = new Map<string, ReadonlySet<string>>()

  /**
   * The change; undefined if it is known already, or if the server has not said yet who was there
   * before.
   */
  take({ channel, present, joined = [], left = [] }: ToldPresence): ChannelPresence | undefined {
    const before = this.#channels.get(channel)
    if (!before && !present) return undefined
    const now = new Set([...(present ?? before ?? []), ...joined])
    for (const subject of left) now.delete(subject)
    this.#channels.set(channel, now)
    if (!before) return this.of(channel)
    const change = {
      present: [...now],
      joined: [...now].filter((subject) => !before.has(subject)),
      left: [...before].filter((subject) => !now.has(subject)),
    }
    return change.joined.length + change.left.length > 0 ? change : undefined
  }

  /** Undefined if the server has not told it. */
  of(channel: string): ChannelPresence | undefined {
    const present = this.#channels.get(channel)
    return present && { present: [...present], joined: [], left: [] }
  }

  forget(channel: string) {
    this.#channels.delete(channel)
  }

  /** The messages that tell another tab. */
  messages(): SSEMessage[] {
    return [...this.#channels].map(([channel, present]) => ({
      event: presenceFrame,
      data: { channel, present: [...present] },
    }))
  }
}

function listOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value : undefined
}
