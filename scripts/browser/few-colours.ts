/** The colours of a picture, as its canvas has them, with how many pixels each has. */
type Counts = ReadonlyMap<number, number>

interface Colour {
  colour: number
  count: number
  /** What is shown in its place. */
  shown: number
  /** How far that is from it. */
  error: number
}

/**
 * What to show in place of each colour, so that a picture has at most so many. Plain colours stay as they are, also where
 * they are rare, and the shades at the edges of letters become the nearest that is there.
 */
export function fewColours(counts: Counts, most: number): Map<number, number> {
  const colours = [...counts].map(
    ([colour, count]): Colour => ({ colour, count, shown: colour, error: Infinity }),
  )
  for (let taken = 0; taken < most; taken += 1) {
    const { colour, error } = colours.reduce(moreMissed)
    if (error === 0) break
    for (const each of colours) showNearer(each, colour)
  }
  return new Map(colours.map(({ colour, shown }) => [colour, shown]))
}

/** Of two colours, the one that the picture lacks more: far from what is shown, on many pixels. */
function moreMissed(one: Colour, other: Colour) {
  if (one.error === other.error) return other.count > one.count ? other : one
  return other.count * other.error > one.count * one.error ? other : one
}

function showNearer(each: Colour, colour: number) {
  const error = distance(each.colour, colour)
  if (error < each.error) Object.assign(each, { error, shown: colour })
}

function distance(one: number, other: number) {
  const channel = (bit: number) => ((one >>> bit) & 255) - ((other >>> bit) & 255)
  return channel(0) ** 2 + channel(8) ** 2 + channel(16) ** 2
}
