import type { OwnEmission } from './own-emissions.ts'

/** Of so many, the first can have no echo left: those that still come are of what was published last. */
const most = 10_000

/** What was delivered without its echo: should that come all the same, nobody is told twice. */
export class LateEchoes {
  readonly #byText = new Map<string, OwnEmission[]>()
  readonly #all = new Set<OwnEmission>()

  get expected(): ReadonlySet<OwnEmission> {
    return this.#all
  }

  expect(emission: OwnEmission) {
    this.#all.add(emission)
    const same = this.#byText.get(emission.message)
    if (same) same.push(emission)
    else this.#byText.set(emission.message, [emission])
    if (this.#all.size > most) this.#forgetFirst()
  }

  take(message: string): OwnEmission | undefined {
    const first = this.#byText.get(message)?.[0]
    if (first) this.forget(first)
    return first
  }

  forget(emission: OwnEmission) {
    if (!this.#all.delete(emission)) return
    const same = this.#byText.get(emission.message) ?? []
    const others = same.filter((each) => each !== emission)
    if (others.length > 0) this.#byText.set(emission.message, others)
    else this.#byText.delete(emission.message)
  }

  #forgetFirst() {
    const [first] = this.#all
    if (first) this.forget(first)
  }
}
