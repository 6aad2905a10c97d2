import type { OwnEmission } from './own-emissions.ts'

/**
 * With so many, no echo of the first one can still come: later echoes belong to what was published
 * last.
 */
const most = 10_000

/**
 * Emissions that were delivered without their echo. If it still arrives, it isn't delivered again.
 */
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
