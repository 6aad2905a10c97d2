/** A length of time as a clock would show it: `9:05`. */
export function minutesAndSeconds(millis: number) {
  const seconds = Math.max(0, Math.ceil(millis / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
