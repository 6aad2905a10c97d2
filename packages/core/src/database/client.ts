import { setTimeout as wait } from 'node:timers/promises'
import { Client, type ClientConfig, Pool, type PoolConfig } from 'pg'
import { hostAndPort } from '../observation/observation.ts'
import { hostsOf } from './hosts.ts'

/** The addresses of a database. */
export interface DatabaseAddress {
  url: string
  /** The address of PostgreSQL itself, if `url` is that of a pooler. */
  directUrl?: string
}

/** How long each host may take to say whether it accepts writes. */
const askMillis = 1500

interface Place {
  readonly host: string
  readonly port: number
}

/** Knows which of several hosts accepts writes. Asks all of them again when that one was lost. */
class Writer {
  readonly #urls: readonly string[]
  #known: Place | undefined
  #asking: Promise<Place> | undefined

  constructor(urls: readonly string[]) {
    this.#urls = urls
  }

  get url() {
    return this.#urls[0]
  }

  async place() {
    if (this.#known) return this.#known
    this.#asking ??= Promise.any(this.#urls.map(askWriter)).finally(() => {
      this.#asking = undefined
    })
    this.#known = await this.#asking
    return this.#known
  }

  lose(place: Place) {
    if (this.#known === place) this.#known = undefined
  }
}

/** Throws the error that the driver has for a slow connection. */
async function within<Value>(millis: number, work: Promise<Value>) {
  const over = new AbortController()
  const tooLate = wait(millis, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error('timeout expired')
  })
  try {
    return await Promise.race([work, tooLate])
  } finally {
    over.abort()
    tooLate.catch(() => {})
  }
}

async function askWriter(url: string): Promise<Place> {
  const client = new Client({
    connectionString: url,
    application_name: 'svc hosts',
    connectionTimeoutMillis: askMillis,
    query_timeout: askMillis,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await requireWriter(client)
    return { host: client.host, port: client.port }
  } finally {
    client.end().catch(() => {})
  }
}

async function requireWriter(client: Client) {
  const { rows } = await client.query('show transaction_read_only')
  if (rows[0].transaction_read_only === 'off') return
  // The code that PostgreSQL gives to a write on such a host.
  throw Object.assign(new Error(`${hostAndPort(client)} is read-only`), { code: '25006' })
}

function writerOf({ connectionString = '' }: ClientConfig) {
  const urls = hostsOf(connectionString)
  return urls && new Writer(urls)
}

type Connected = ((error: Error) => void) | ((error: null, client: Client) => void)

function callBack(callback: Connected, connecting: Promise<Client>) {
  // The driver's types allow only one form of a call at a time.
  const call = callback as (error: Error | null, client?: Client) => void
  // oxlint-disable-next-line promise/no-callback-in-promise -- the pool of the driver takes no promise
  connecting.then((client) => call(null, client), call)
}

/**
 * The driver's client, for an address of several hosts: it connects to the one that accepts writes.
 */
class WriterClient extends Client {
  readonly #writer: Writer
  readonly #patienceMillis: number

  constructor(config: ClientConfig, writer: Writer) {
    super({ ...config, connectionString: writer.url })
    // The pool adds its listener only after connecting, and this client sends a query before that.
    this.on('error', () => {})
    this.#writer = writer
    this.#patienceMillis = config.connectionTimeoutMillis || 2 * askMillis
  }

  override connect(): Promise<Client>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<Client> | undefined {
    const connecting = this.#connect()
    if (!callback) return connecting
    callBack(callback, connecting)
    return undefined
  }

  async #connect() {
    const place = await within(this.#patienceMillis, this.#writer.place())
    Object.assign(this, place)
    try {
      await super.connect()
      await requireWriter(this)
      return this
    } catch (error) {
      this.#writer.lose(place)
      // The pool assumes that a client which did not connect is closed.
      this.end().catch(() => {})
      throw error
    }
  }
}

/** A client for an address of one host or of several. */
export function newClient(config: ClientConfig): Client {
  const writer = writerOf(config)
  return writer ? new WriterClient(config, writer) : new Client(config)
}

/** A pool of such clients. They share what each of them learns about the hosts. */
export function newPool(config: PoolConfig) {
  const writer = writerOf(config)
  if (!writer) return new Pool(config)
  class PooledClient extends WriterClient {
    constructor(given: ClientConfig) {
      super(given, writer as Writer)
    }
  }
  // The pool passes a configuration, although its type says that it passes none.
  return new Pool({ ...config, Client: PooledClient as unknown as new () => Client })
}

/** Connects, or closes everything again. */
export async function openClient(config: ClientConfig): Promise<Client> {
  const client = newClient(config)
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    client.end().catch(() => {})
    throw error
  }
}
