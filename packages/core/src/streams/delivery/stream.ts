import { UnauthorizedError } from '../../errors/contract.ts'
import type { StreamGrant } from '../access/stream-tokens.ts'

/** Why a server ends a stream. */
export type ServerReason = 'revoked' | 'ended' | 'aged' | 'shutdown' | 'overflow'

/**
 * Why a stream ends. Also because its client has closed it, or because its connection is broken.
 */
export type EndReason = ServerReason | 'left' | 'dropped'

/** The streams that one shares its bytes with. */
interface Home {
  readonly key: string
  readonly names: readonly string[]
  readonly size: number
  /**
   * The position up to which its streams have everything, if this is the newest frame of the
   * router.
   */
  reached(newest: number): number
  remove(stream: Stream): void
}

/** Code that holds a stream, and releases it when it has ended. */
export interface Keeper {
  forget(stream: Stream, reason: EndReason): void
  /** Asks again which events it may get. */
  reauthorize(stream: Stream): void
}

/** One connection. Objects are kept small, because there are ten thousand. */
export abstract class Stream {
  /** The subject and its credential; undefined if every client may open a stream. */
  grant: StreamGrant | undefined = undefined
  /** The client's address, as far as this server trusts it. */
  address: string | null = null
  /** The rights of its credential at the last check. */
  standing = ''
  /** The names that it asked for, if they are more than it has got. */
  requested: readonly string[] | undefined = undefined
  /** The client has been told that it is open. */
  isStarted = false
  /** Undefined while it is being opened or gets what it has missed, and after it has ended. */
  home: Home | undefined = undefined
  /** Its index in its home. */
  place = -1
  /** The last frame that was emitted before it was opened. */
  since = 0
  endsAtMillis = Infinity
  openedAtMillis = 0
  /** Its number among the streams of this process. */
  number = 0
  isOpen = true
  /** The rights of its owner have changed since the last question. */
  isStale = false
  /** The question is being asked right now. */
  isAsking = false
  readonly keeper: Keeper

  constructor(keeper: Keeper) {
    this.keeper = keeper
  }

  /** Accepts the bytes of this many frames. */
  abstract write(bytes: Buffer, frames: number): void
  /** The bytes that its client has not read yet. */
  abstract get waitingBytes(): number
  /** Shows that it is alive, and which place it has reached. */
  abstract ping(now: Date, id: string | undefined): void
  /** Tells the client the reason, and closes the connection. */
  protected abstract disconnect(reason: ServerReason): void

  /** Its connection is closed. Unless a kind of stream knows better, its client did it. */
  closed() {
    this.end('left')
  }

  end(reason: EndReason) {
    if (!this.isOpen) return
    this.isOpen = false
    this.keeper.forget(this, reason)
    if (reason === 'left' || reason === 'dropped') return
    // A stream that is still being opened is refused by the code that opens it.
    if (this.isStarted) this.disconnect(reason)
  }
}

/** The client has closed it, or its credential is revoked. */
export function refuseEnded(stream: Stream) {
  if (!stream.isOpen) throw new UnauthorizedError()
}
