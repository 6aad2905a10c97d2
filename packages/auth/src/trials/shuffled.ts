export function shuffled<Value>(values: readonly Value[]): Value[] {
  return values
    .map((value) => ({ value, rank: Math.random() }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ value }) => value)
}
