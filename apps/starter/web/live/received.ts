export interface Arrived {
  id: string
  text: string
  author: string
  arrivedAtMillis: number
}

export const mostShown = 50

/** The list with what has just arrived on top, and the oldest left out. */
export function withNewest(list: readonly Arrived[], arrived: Arrived): Arrived[] {
  // A stream that recovers after a gap may bring one again.
  const others = list.filter(({ id }) => id !== arrived.id)
  return [arrived, ...others].slice(0, mostShown)
}
