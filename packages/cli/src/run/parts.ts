import { CommandFailure } from '../failure.ts'
import { type Part, type RunningPart, startPart } from './part.ts'
import { withProgress } from './with-progress.ts'

type Begin = (part: Part) => RunningPart | Promise<RunningPart>

/** What runs together: the end of one part is the end of all. */
export class Parts {
  readonly #running: RunningPart[] = []
  readonly #failure = Promise.withResolvers<never>()
  #isStopping = false

  /** Rejects when a part has ended by itself. */
  readonly failed = this.#failure.promise

  /** Starts a part and waits until it is ready. */
  async start(part: Part, begin: Begin = startPart) {
    if (this.#isStopping) return
    const started = await begin(part)
    // It was asked for while this one began.
    if (this.#isStopping) return started.stop()
    this.#running.push(started)
    void started.ended.then((how) =>
      this.#failure.reject(new CommandFailure(`${part.name} ${how}; what it printed is above.`)),
    )
    const ready = started.isReady()
    // One that is begun otherwise says itself what it waits for.
    const isReady = await (begin === startPart
      ? withProgress(`Starting: ${part.name}`, ready)
      : ready)
    if (!isReady) throw new CommandFailure(`${part.name} does not answer on ${part.readyUrl}.`)
  }

  async stop() {
    this.#isStopping = true
    await Promise.all(this.#running.map((part) => part.stop()))
  }
}
