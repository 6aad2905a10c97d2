/**
 * How likely it is that one of the first took longer than one of the second, U / (n1 n2) of Mann and Whitney: a half
 * where nobody can tell them apart, 0 or 1 where anybody can.
 */
export function auc(first: readonly number[], second: readonly number[]): number {
  const all = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false })),
  ].toSorted((one, other) => one.value - other.value)
  let ranks = 0
  for (let begin = 0; begin < all.length; ) {
    let end = begin
    while (all[end]?.value === all[begin]?.value) end++
    // Those that are alike share the middle of their ranks.
    const rank = (begin + 1 + end) / 2
    ranks += rank * all.slice(begin, end).filter(({ isFirst }) => isFirst).length
    begin = end
  }
  return (ranks - (first.length * (first.length + 1)) / 2) / (first.length * second.length)
}

/** What a guess by the time alone is worth, whichever of the two is the slower one. */
export const telling = (value: number) => Math.abs(value - 0.5) + 0.5

/** Where it lies in 95 of 100 samples that are drawn from these anew. */
export function bootstrap(first: readonly number[], second: readonly number[], times = 200) {
  const drawn = Array.from({ length: times }, () => auc(redraw(first), redraw(second)))
  const sorted = drawn.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.round(share * (times - 1))] ?? Number.NaN
  return { from: at(0.025), to: at(0.975) }
}

const redraw = (values: readonly number[]) =>
  values.map(() => values[Math.floor(Math.random() * values.length)] ?? Number.NaN)
