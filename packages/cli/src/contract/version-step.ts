import { CommandFailure } from '../failure.ts'

/** How the version of a contract changed. A breaking change needs `stepped`. */
export function versionStep(before: string, now: string): 'same' | 'stepped' | 'back' {
  const [old, fresh] = [numbersOf(before), numbersOf(now)]
  const at = fresh.findIndex((number, index) => number !== old[index])
  if (at !== -1 && Number(fresh[at]) < Number(old[at])) return 'back'
  return at !== -1 && at <= steppingPlace(old) ? 'stepped' : 'same'
}

/** The next version that may break clients of this one. */
export function nextBreaking(version: string) {
  const numbers = numbersOf(version)
  const place = steppingPlace(numbers)
  return numbers
    .map((number, at) => (at < place ? number : at === place ? number + 1 : 0))
    .join('.')
}

/** As for packages: while the major version is 0, the minor one counts. */
function steppingPlace([major]: number[]) {
  return major === 0 ? 1 : 0
}

function numbersOf(version: string) {
  const [, ...numbers] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? []
  if (numbers.length > 0) return numbers.map(Number)
  throw new CommandFailure(`"${version}" is not a version of a contract: write it like 0.13.0.`)
}
