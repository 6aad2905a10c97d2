import { ServiceUnavailableError } from '../../errors/contract.ts'
import type { Frame, StreamForm } from '../delivery/frame.ts'
import { idOf } from '../delivery/frame.ts'
import { refuseEnded, Stream } from '../delivery/stream.ts'
import type { Instance } from './instance.ts'
import { names, type Payload } from './rules.ts'

interface Sent {
  readonly id: string
  readonly name: string
  readonly json: string
}

const form: StreamForm = {
  name: 'model',
  encode: (frames: readonly Frame[]) =>
    Buffer.from(
      JSON.stringify(frames.map((frame) => ({ ...frame, id: idOf(frame), payload: undefined }))),
    ),
  encodeAside: (_, json) => Buffer.from(json),
}

/**
 * The server's half of a connection. A cut connection accepts nothing, and tells its client
 * nothing.
 */
class ModelStream extends Stream {
  readonly #client: ModelClient
  /** How many more looks find that its client is slow. */
  slowFor = 0

  constructor(client: ModelClient, { streams }: Instance) {
    super(streams)
    this.#client = client
  }

  write(bytes: Buffer) {
    for (const sent of JSON.parse(bytes.toString()) as Sent[]) this.#client.take(this, sent)
  }

  get waitingBytes() {
    if (this.slowFor > 0) this.slowFor -= 1
    return this.slowFor
  }

  ping(_now: Date, id: string | undefined) {
    this.#client.reach(this, id)
  }

  protected disconnect() {
    this.#client.leave(this)
  }
}

const targetOfAll = `/events/stream?events=${names.join()}`

/** A client that reconnects with its last id, and drops what it has seen already. */
export class ModelClient {
  readonly subject: string
  credential: string
  instance: Instance | undefined
  #stream: ModelStream | undefined
  #lastId = ''
  /** The position at which it began first. */
  beganAt: number | undefined
  /** By number, with the place of each. */
  readonly got: { name: string; n: number; position: number }[] = []
  /** The faults that it has found itself. */
  readonly complaints: string[] = []
  /** Told of each emission that is shown to it. */
  readonly onShown: (client: ModelClient, name: string) => void

  constructor(at: number, onShown: ModelClient['onShown']) {
    this.subject = `u${at % 5}`
    this.credential = `k${at}.0`
    this.onShown = onShown
  }

  /** The client reads again. */
  wake() {
    if (this.#stream) this.#stream.slowFor = 0
  }

  get isConnected() {
    return this.#stream !== undefined
  }

  /** Its stream is open, and no question about it is being asked. */
  get isSettled() {
    const stream = this.#stream
    return !stream?.isOpen || !(stream.isAsking || stream.isStale)
  }

  /** `busy` if the instance can't say, and asks to come again. */
  async connect(instance: Instance, slowFor = 0): Promise<'in' | 'refused' | 'busy'> {
    this.drop()
    const { streams } = instance
    const stream = new ModelStream(this, instance)
    stream.slowFor = slowFor
    const token = JSON.stringify({ subject: this.subject, credential: this.credential })
    try {
      const own = await streams.admit(stream, { target: targetOfAll, tokens: [token] })
      const resumption = await streams.resumption(this.#lastId)
      refuseEnded(stream)
      this.#stream = stream
      this.instance = instance
      const { content, id } = streams.opening(own, resumption)
      if (content.recovered === false) this.complaints.push(`not recovered: ${content.reason}`)
      this.beganAt ??= positionOf(id)
      this.reach(stream, id)
      streams.start(stream, { names: own, form, resumption })
      return 'in'
    } catch (error) {
      stream.end('left')
      return error instanceof ServiceUnavailableError ? 'busy' : 'refused'
    }
  }

  /** The connection is gone, without a message. */
  drop() {
    const stream = this.#stream
    this.#stream = undefined
    this.instance = undefined
    stream?.end('left')
  }

  leave(stream: ModelStream) {
    if (this.#stream === stream) this.drop()
  }

  reach(stream: ModelStream, id: string | undefined) {
    if (this.#stream === stream && id !== undefined) this.#lastId = id
  }

  take(stream: ModelStream, { id, name, json }: Sent) {
    if (this.#stream !== stream) return
    const position = positionOf(id)
    if (name === 'gap') this.complaints.push(`a gap: ${json}`)
    // Our clients drop these.
    if (position <= positionOf(this.#lastId)) return
    this.#lastId = id
    this.onShown(this, name)
    const { n } = JSON.parse(json) as Payload
    this.got.push({ name, n, position })
  }

  get position() {
    return positionOf(this.#lastId)
  }
}

function positionOf(id: string | undefined) {
  return Number(id?.split('-')[1] ?? 0)
}
