import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../database/server.ts'
import { ModelClient } from './client.ts'
import { type Instance, type Rights, startInstance } from './instance.ts'
import { randomFrom } from './random.ts'
import { events, type Name, names, type Payload, passes, router } from './rules.ts'

interface Emission extends Payload {
  readonly name: Name
  /** The step in which its transaction was committed; undefined if it never was. */
  committedAt: number | undefined
}

/** An open transaction that has emitted. */
interface Held {
  readonly emitted: Emission[]
  readonly instance: Instance
  end(how: 'commit' | 'rollback'): Promise<void>
}

interface RoleChange {
  readonly at: number
  readonly mayHaveRuled: boolean
}

class RolledBack extends Error {}

const subjects = ['u0', 'u1', 'u2', 'u3', 'u4']

/** Instances, clients and transactions that act by a seed, and the checks of the result. */
export class World implements Rights {
  readonly #database: Database
  readonly #random: () => number
  readonly #clients: ModelClient[]
  readonly #emitted: Emission[] = []
  readonly #roles = new Map<string, RoleChange[]>(
    subjects.map((subject) => [subject, [{ at: 0, mayHaveRuled: true }]]),
  )
  readonly #revoked = new Set<string>()
  readonly #complaints: string[] = []
  /** The position of each emission in the log. */
  readonly #positions = new Map<number, number>()
  #instances: Instance[] = []
  #held: Held[] = []
  #step = 0
  /** Subjects whose role was just taken away, and whose streams may not know it yet. */
  readonly #unheard = new Set<string>()

  constructor(database: Database, { seed, clients = 16 }: { seed: number; clients?: number }) {
    this.#database = database
    this.#random = randomFrom(seed)
    this.#clients = Array.from(
      { length: clients },
      (_, at) => new ModelClient(at, (client, name) => this.#judge(client, name)),
    )
  }

  mayHaveRuled(subject: string) {
    return this.#roles.get(subject)?.at(-1)?.mayHaveRuled === true
  }

  isRevoked(credential: string) {
    return this.#revoked.has(credential)
  }

  async run(steps: number) {
    for (let count = 0; count < 3; count++) await this.#start()
    for (const client of this.#clients.slice(0, 8)) await this.#connect(client)
    for (this.#step = 1; this.#step <= steps; this.#step++) await this.#act()
    await this.#settle()
    return [...this.#complaints, ...this.#clients.flatMap((client) => this.#account(client))]
  }

  stop() {
    for (const instance of this.#instances) instance.kill()
  }

  async #act() {
    const at = this.#random()
    if (at < 0.3) await this.#emit()
    else if (at < 0.4) await this.#hold()
    else if (at < 0.5) await this.#release()
    else if (at < 0.7) await this.#connect(this.#one(this.#clients))
    else if (at < 0.8) this.#one(this.#clients).drop()
    else if (at < 0.86) await this.#changeRole()
    else if (at < 0.9) await this.#revoke()
    else if (at < 0.93) await this.#cut()
    else if (at < 0.96) await this.#kill()
    else if (at < 0.99) await this.#start()
    else await this.#restartAll()
    if (this.#random() < 0.2) await wait(this.#below(25))
  }

  #below(limit: number) {
    return Math.floor(this.#random() * limit)
  }

  #one<Of>(list: readonly Of[]): Of {
    return list[this.#below(list.length)] as Of
  }

  #newEmission(): Emission {
    const to = subjects.filter(() => this.#random() < 0.4)
    const n = this.#emitted.length
    const emission = { name: this.#one(names), n, to, committedAt: undefined }
    this.#emitted.push(emission)
    return emission
  }

  async #record({ log }: Instance, { name, n, to }: Emission) {
    await log.record(events[name], { n, to })
  }

  /**
   * One transaction with some emissions, every sixth of which is rolled back; or an emission
   * outside of a transaction.
   */
  async #emit() {
    const instance = this.#one(this.#instances)
    const emitted = Array.from({ length: 1 + this.#below(3) }, () => this.#newEmission())
    const isAlone = this.#random() < 0.2
    const isRolledBack = !isAlone && this.#random() < 0.2
    if (isAlone) for (const each of emitted) await this.#record(instance, each)
    else {
      await this.#database.db
        .transaction(async () => {
          for (const each of emitted) await this.#record(instance, each)
          if (isRolledBack) throw new RolledBack()
        })
        .catch(ignoreRolledBack)
    }
    if (!isRolledBack) for (const each of emitted) each.committedAt = this.#step
  }

  /**
   * Begins a transaction that commits later: only then its row is written, except that of a
   * connection.
   */
  async #hold() {
    if (this.#held.length >= 4) return
    const instance = this.#one(this.#instances)
    const emission = this.#newEmission()
    const begun = Promise.withResolvers<void>()
    const ending = Promise.withResolvers<void>()
    const running = this.#database.db
      .transaction(async (tx) => {
        // Assigns its number now.
        await tx.execute('select pg_current_xact_id()')
        await this.#record(instance, emission)
        begun.resolve()
        await ending.promise
      })
      .catch(ignoreRolledBack)
    await begun.promise
    this.#held.push({
      emitted: [emission],
      instance,
      end: async (how) => {
        if (how === 'commit') ending.resolve()
        else ending.reject(new RolledBack())
        await running
        if (how === 'commit') emission.committedAt = this.#step
      },
    })
  }

  async #release() {
    const [held] = this.#held.splice(this.#below(this.#held.length), 1)
    await held?.end(this.#random() < 0.8 ? 'commit' : 'rollback')
  }

  async #connect(client: ModelClient) {
    const slowFor = this.#random() < 0.2 ? 1 + this.#below(4) : 0
    const isRevoked = this.isRevoked(client.credential)
    const instance = this.#one(this.#instances)
    let outcome = await client.connect(instance, slowFor)
    for (; outcome === 'busy'; outcome = await client.connect(instance, slowFor)) await wait(10)
    const isIn = outcome === 'in'
    if (isRevoked && isIn)
      this.#complaints.push(`${client.credential} resumed though it is revoked`)
    if (!isRevoked && !isIn) this.#complaints.push(`${client.credential} was refused`)
    // A client that was signed out signs in again.
    if (isRevoked) client.credential = client.credential.replace(/\d+$/, (n) => `${Number(n) + 1}`)
  }

  async #changeRole() {
    const subject = this.#one(subjects)
    const mayHaveRuled = !this.mayHaveRuled(subject)
    this.#roles.get(subject)?.push({ at: this.#step, mayHaveRuled })
    this.#unheard.add(subject)
    for (const { open } of this.#instances) open.reauthorize(subject)
    const own = this.#clients.filter((client) => client.subject === subject)
    while (!own.every((client) => client.isSettled)) await wait(1)
    this.#unheard.delete(subject)
  }

  async #revoke() {
    const client = this.#one(this.#clients)
    this.#revoked.add(client.credential)
    for (const { open } of this.#instances) open.end(client.subject, [client.credential])
    if (client.isConnected)
      this.#complaints.push(`${client.credential} goes on though it is revoked`)
  }

  /** For a moment, no instance gets announcements of the log, or can reach it. */
  async #cut() {
    await this.#database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'svc events' and datname = current_database()`,
    )
  }

  async #start() {
    if (this.#instances.length < 3) {
      this.#instances.push(await startInstance(this.#database, this))
    }
  }

  async #kill() {
    if (this.#instances.length > 1) await this.#end(this.#one(this.#instances))
  }

  async #end(instance: Instance) {
    this.#instances = this.#instances.filter((each) => each !== instance)
    for (const client of this.#clients) if (client.instance === instance) client.drop()
    instance.kill()
    // Its transactions end with its connections.
    const own = this.#held.filter((held) => held.instance === instance)
    this.#held = this.#held.filter((held) => held.instance !== instance)
    for (const held of own) await held.end('rollback')
  }

  async #restartAll() {
    for (const instance of this.#instances) await this.#end(instance)
    await this.#start()
  }

  /** All running work ends, every client reconnects, and all are told the end. */
  async #settle() {
    this.#step += 1
    for (const held of this.#held.splice(0)) await held.end('commit')
    await this.#start()
    for (const client of this.#clients) {
      if (this.isRevoked(client.credential)) client.credential += '9'
      if (!client.isConnected) await this.#connect(client)
    }
    const last: Emission = { ...this.#newEmission(), name: 'open' }
    this.#emitted[last.n] = last
    await this.#record(this.#one(this.#instances), last)
    last.committedAt = this.#step
    const hasEnd = (client: ModelClient) => client.got.some(({ n }) => n === last.n)
    for (let looks = 0; looks < 2000 && !this.#clients.every(hasEnd); looks++) await wait(5)
    await this.#readLog()
  }

  /** Checks that the log contains each committed emission once. */
  async #readLog() {
    const log = this.#instances[0]?.log.of(router)
    let at = -1
    for (let next = 0; next !== at; ) {
      at = next
      const logged = (await log?.after(at)) ?? []
      for (const { json, position } of logged) {
        const { n } = JSON.parse(json) as Payload
        if (this.#positions.has(n)) this.#complaints.push(`${n} is in the log twice`)
        this.#positions.set(n, position)
      }
      next = logged.at(-1)?.position ?? at
    }
    for (const { n, committedAt } of this.#emitted) {
      const isThere = this.#positions.has(n)
      if (isThere !== (committedAt !== undefined)) {
        this.#complaints.push(`${n} is ${isThere ? '' : 'not '}in the log`)
      }
    }
  }

  #judge({ subject }: ModelClient, name: string) {
    if (name !== 'ruled' || this.#unheard.has(subject) || this.mayHaveRuled(subject)) return
    this.#complaints.push(`${subject} is shown in step ${this.#step} what it may not see`)
  }

  /** The emissions that a client did not get, got twice, or got in another order. */
  #account(client: ModelClient): string[] {
    const who = `${client.subject} (${client.credential})`
    const { beganAt = 0, got, complaints } = client
    const inOrder = got.every(
      ({ position }, at) => at === 0 || position > (got[at - 1]?.position ?? 0),
    )
    const numbers = new Set(got.map(({ n }) => n))
    const missing = this.#emitted.filter((emission) => {
      const position = this.#positions.get(emission.n) ?? 0
      return position > beganAt && this.#isDue(emission, client) && !numbers.has(emission.n)
    })
    const foreign = got.filter(({ n }) => !this.#isPossible(n, client))
    return [
      ...complaints.map((complaint) => `${who}: ${complaint}`),
      ...(inOrder ? [] : [`${who}: not in order`]),
      ...(numbers.size === got.length ? [] : [`${who}: something came twice`]),
      ...missing.map(({ n, name }) => `${who}: ${name} ${n} is missing`),
      ...foreign.map(
        ({ n, name }) => `${who}: ${name} ${n} is not its own, or was never committed`,
      ),
    ]
  }

  #isDue({ name, n, to, committedAt }: Emission, { subject }: ModelClient) {
    if (committedAt === undefined) return false
    if (name === 'own') return to.includes(subject)
    if (name === 'filtered') return passes(subject, { n, to })
    return name === 'open' || this.#hadRole(subject, committedAt)
  }

  /** From the step before on: its role at the moment of the commit is not known better. */
  #hadRole(subject: string, since: number) {
    const changes = this.#roles.get(subject) ?? []
    const last = changes.findLast(({ at }) => at < since)
    return last?.mayHaveRuled === true && !changes.some(({ at }) => at >= since)
  }

  #isPossible(n: number, { subject }: ModelClient) {
    const emission = this.#emitted[n]
    if (emission?.committedAt === undefined) return false
    const { name, to } = emission
    if (name === 'own') return to.includes(subject)
    return name !== 'filtered' || passes(subject, { n, to })
  }
}

function ignoreRolledBack(error: unknown) {
  if (!(error instanceof RolledBack)) throw error
}
