import { dirname, join, resolve } from 'node:path'
import { takingMessage } from '@svc/core/http'
import type { Part, RunningPart } from '../run/run.ts'
import { type ApiProcess, createApiProcesses } from './api-process.ts'
import type { HeldPort } from './hold-port.ts'
import { watchFiles } from './watch-files.ts'

// Then running requests are aborted: a developer who saves wants to see the change.
const restartMillis = 3_000
const stopMillis = 15_000

interface Around {
  /** The file of the server definition; migrations are in the folder beside it. */
  server: string
  port: HeldPort
  /** It serves requests, for the first time or again. It is not stopped before this has settled. */
  onServing: () => Promise<void>
  /** It has ended by itself, and waits for a change. */
  onBroken: () => void
  write: (line: string) => void
}

/**
 * The API. It restarts when a file that it imports changes. A broken one waits for the next change.
 */
export class WatchedApi implements RunningPart {
  readonly name: string
  readonly #around: Around
  readonly #files = watchFiles({
    onChange: () => {
      this.#turn = this.#turn.then(() => this.#startAgain())
    },
    isBroken: () => this.#state === 'broken',
  })
  readonly #variables = watchFiles({
    onChange: () => this.#around.write('svc │ .env changed: restart svc dev to read it'),
    isBroken: () => false,
  })
  readonly #processes: ReturnType<typeof createApiProcesses>
  readonly #first = Promise.withResolvers<boolean>()
  readonly #end = Promise.withResolvers<string>()
  #state: 'starting' | 'serving' | 'broken' | 'stopping' = 'starting'
  #turn: Promise<void> = Promise.resolve()
  #current: ApiProcess
  #held: Promise<void> = Promise.resolve()

  constructor(part: Part, around: Around) {
    const { server, write } = around
    this.name = part.name
    this.#around = around
    this.#files.add(resolve(part.cwd, part.args.at(-1) ?? ''))
    this.#files.add(server)
    this.#variables.add(resolve(part.cwd, '.env'))
    this.#processes = createApiProcesses(part, { write, onFile: (path) => this.#files.add(path) })
    this.#current = this.#begin()
  }

  /**
   * Resolves when it serves requests for the first time, which may take until a broken file is
   * fixed.
   */
  isReady() {
    return this.#first.promise
  }

  get ended() {
    return this.#end.promise
  }

  async stop() {
    this.#files.close()
    this.#variables.close()
    await this.#turn
    this.#state = 'stopping'
    this.#around.port.close()
    await Promise.all([this.#current.stop(stopMillis), this.#processes.stop(stopMillis)])
    this.#first.resolve(false)
    this.#end.resolve('was stopped')
  }

  async #startAgain() {
    const began = performance.now()
    const seconds = () => ((performance.now() - began) / 1000).toFixed(1)
    if (this.#state === 'broken') this.#around.write('svc │ restarting')
    this.#state = 'stopping'
    this.#around.port.hold()
    await this.#held
    await this.#current.stop(restartMillis)
    this.#state = 'starting'
    this.#current = this.#begin(() => `reloaded in ${seconds()} s`)
  }

  #begin(whatHappened?: () => string) {
    this.#watchMigrations()
    const started = this.#processes.next()
    started.child.on('message', (message) => {
      if (message !== takingMessage || this.#state !== 'starting') return
      if (whatHappened) this.#around.write(`svc │ ${whatHappened()}`)
      this.#serve(started)
    })
    void started.ended.then((how) => this.#noteEnd(started, how))
    return started
  }

  /** The folder itself is watched too: the first migration creates it. */
  #watchMigrations() {
    const folder = join(dirname(this.#around.server), 'migrations')
    this.#files.add(folder)
    this.#files.addFolder(folder, /\.sql$/)
  }

  #serve({ child }: ApiProcess) {
    this.#state = 'serving'
    this.#around.port.handTo(child)
    this.#first.resolve(true)
    this.#processes.prepare()
    this.#held = this.#around.onServing()
  }

  /** It ended without being asked to. */
  #noteEnd(started: ApiProcess, how: string) {
    if (started !== this.#current || this.#state === 'stopping') return
    this.#state = 'broken'
    this.#around.port.refuse()
    this.#around.write(
      `svc │ the API ${how}. Its output is above. Fix it and save, and it restarts. ` +
        'After a change of .env, restart svc dev.',
    )
    this.#processes.prepare()
    this.#around.onBroken()
  }
}
