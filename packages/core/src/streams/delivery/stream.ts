import { UnauthorizedError } from '../../errors/contract.ts'
import type { StreamGrant } from '../access/stream-tokens.ts'

/** Why a server ends a stream. */
export type ServerReason = 'revoked' | 'ended' | 'aged' | 'shutdown' | 'overflow'

/** Why a stream ends: also because its client has left it, or because its connection has broken off. */
export type EndReason = ServerReason | 'left' | 'dropped'

/** The streams that one shares its bytes with. */
interface Home {
  readonly key: string
  readonly names: readonly string[]
  readonly size: number
  /** Up to where its streams have all that they are to have, where the newest frame of the router is this one. */
  reached(newest: number): number
  remove(stream: Stream): void
}

/** Those who keep a stream, and let go of it when it has ended. */
export interface Keeper {
  forget(stream: Stream, reason: EndReason): void
  /** Asks again which events it may have. */
  reauthorize(stream: Stream): void
}

/** One connection. It is kept small, because there are ten thousand. */
export abstract class Stream {
  /** For whom it is, and by what; undefined where every client may open a stream. */
  grant: StreamGrant | undefined = undefined
  /** Its client's, as far as this server believes it. */
  address: string | null = null
  /** What its credential could do when it was last looked at. */
  standing = ''
  /** What it asked for, where that is more than it has got. */
  requested: readonly string[] | undefined = undefined
  /** Its client knows that it is open. */
  isStarted = false
  /** Undefined while it is being opened or gets what it has missed, and when it has ended. */
  home: Home | undefined = undefined
  /** Its index there. */
  place = -1
  /** The last frame that was emitted before it was there. */
  since = 0
  endsAtMillis = Infinity
  openedAtMillis = 0
  /** Tells it from the other streams of this process. */
  number = 0
  isOpen = true
  /** What its owner may do has changed since that was last asked for. */
  isStale = false
  /** It is being asked for right now. */
  isAsking = false
  readonly keeper: Keeper

  constructor(keeper: Keeper) {
    this.keeper = keeper
  }

  /** Takes the bytes of this many frames. */
  abstract write(bytes: Buffer, frames: number): void
  /** What its client has not taken yet. */
  abstract get waitingBytes(): number
  /** Shows that it is alive, and where it has got to. */
  abstract ping(now: Date, id: string | undefined): void
  /** Tells the client what it is to know, and closes the connection. */
  protected abstract disconnect(reason: ServerReason): void

  /** Its connection is closed: by its client unless a kind of stream knows better. */
  closed() {
    this.end('left')
  }

  end(reason: EndReason) {
    if (!this.isOpen) return
    this.isOpen = false
    this.keeper.forget(this, reason)
    if (reason === 'left' || reason === 'dropped') return
    // One that is still being opened is refused by the code that opens it.
    if (this.isStarted) this.disconnect(reason)
  }
}

/** Its client has left, or what it was opened by is revoked. */
export function refuseEnded(stream: Stream) {
  if (!stream.isOpen) throw new UnauthorizedError()
}
