import type {
  OpenStream,
  RunningStreams,
  StreamList,
  StreamQuery,
} from '../infrastructure/infrastructure.ts'
import type { Log } from '../observation/observation.ts'
import type { StreamCredentials } from './access/stream-credentials.ts'
import type { StreamGrant } from './access/stream-tokens.ts'
import type { Stream } from './delivery/stream.ts'
import { inTime } from './in-time.ts'

// Half of the minute in which a revoked credential ends its streams, if no message could report it.
const checkMillis = 30_000

// One statement checks this many.
const grantsPerQuestion = 500

/** The account that a stream is opened for. */
export const ownerOf = ({ owner, subject }: StreamGrant) => owner ?? subject

/** Lists the streams of all instances. */
interface Inspection {
  list(query: StreamQuery): Promise<StreamList>
  find(id: string): Promise<OpenStream | null>
  end(id: string): Promise<OpenStream | null>
}

/** The streams of this server, by their accounts. */
export class OpenStreams implements RunningStreams {
  // Most accounts have one stream, and a set of one takes as much memory as everything else that is
  // kept of it.
  readonly #byOwner = new Map<string, Stream | Set<Stream>>()

  #recheck = () => {}
  #inspection: Inspection | undefined
  #count = 0

  get size() {
    return this.#all().length
  }

  end(owner: string, credentials?: readonly string[]) {
    for (const stream of this.of(owner)) {
      const credential = stream.grant?.credential
      // A stream of unknown origin may be one of them.
      const isOne = !credentials || credential === undefined || credentials.includes(credential)
      if (isOne) stream.end('revoked')
    }
  }

  reauthorize(owner: string) {
    for (const stream of this.of(owner)) stream.keeper.reauthorize(stream)
  }

  owners() {
    return [...this.#byOwner.keys()]
  }

  recheck() {
    this.#recheck()
  }

  async list(query: StreamQuery = {}) {
    return (await this.#inspection?.list(query)) ?? none
  }

  async find(id: string) {
    return (await this.#inspection?.find(id)) ?? null
  }

  async endOne(id: string) {
    return (await this.#inspection?.end(id)) ?? null
  }

  /** From here on, they are listed, and can be ended one by one. */
  inspectBy(inspection: Inspection) {
    this.#inspection = inspection
  }

  /** The next number for a stream, unique in this process. */
  count() {
    return ++this.#count
  }

  add(stream: Stream & { grant: StreamGrant }) {
    const owner = ownerOf(stream.grant)
    const known = this.#byOwner.get(owner)
    if (known instanceof Set) known.add(stream)
    else this.#byOwner.set(owner, known ? new Set([known, stream]) : stream)
  }

  remove(stream: Stream) {
    if (!stream.grant) return
    const owner = ownerOf(stream.grant)
    const known = this.#byOwner.get(owner)
    if (known === stream || (known instanceof Set && known.delete(stream) && known.size === 0)) {
      this.#byOwner.delete(owner)
    }
  }

  /**
   * Finds what no message has reported: a key that has expired, an instance that could not be
   * reached.
   */
  watch(credentials: StreamCredentials, log: Pick<Log, 'error'>) {
    const recheck = oneAfterAnother(() =>
      inTime(this.check(credentials)).catch((error: unknown) => {
        log.error({ err: error }, 'the credentials of open streams could not be checked')
      }),
    )
    this.#recheck = recheck
    const timer = setInterval(recheck, checkMillis).unref()
    return () => {
      clearInterval(timer)
      this.#recheck = () => {}
    }
  }

  /**
   * Ends the streams that are no longer allowed, and asks again for those whose rights have
   * changed.
   */
  async check(credentials: StreamCredentials) {
    const streams = this.#all().filter(({ grant }) => grant?.credential !== undefined)
    for (let at = 0; at < streams.length; at += grantsPerQuestion) {
      const some = streams.slice(at, at + grantsPerQuestion)
      const standings = await credentials.standing(some.map(({ grant }) => grant as StreamGrant))
      for (const [index, stream] of some.entries()) settle(stream, standings[index] ?? null)
    }
  }

  of(owner: string) {
    const known = this.#byOwner.get(owner)
    return known instanceof Set ? [...known] : known ? [known] : []
  }

  #all() {
    return [...this.#byOwner.keys()].flatMap((owner) => this.of(owner))
  }
}

function settle(stream: Stream, standing: string | null) {
  if (standing === null) return stream.end('revoked')
  if (standing === stream.standing || !stream.isStarted) return
  stream.standing = standing
  stream.keeper.reauthorize(stream)
}

/** For a server without streams. */
const none: StreamList = {
  streams: [],
  total: 0,
  isShared: false,
  instances: { answered: 1, asked: 1 },
}

/**
 * However often it is called during a run, one more run follows, which sees what that one may have
 * missed.
 */
function oneAfterAnother(run: () => Promise<void>) {
  let isRunning = false
  let isAsked = false
  async function runAll() {
    isRunning = true
    while (isAsked) {
      isAsked = false
      await run()
    }
    isRunning = false
  }
  return () => {
    isAsked = true
    if (!isRunning) void runAll()
  }
}
