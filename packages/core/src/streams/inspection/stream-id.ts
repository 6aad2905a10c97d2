/**
 * The place of a stream in the list of all: the newest first; for one moment, by instance and
 * number.
 */
export interface StreamPlace {
  readonly openedAtMillis: number
  readonly instance: string
  /** Counts the streams of an instance. */
  readonly number: number
}

/** The id of a stream on all instances. It also says where the list continues after it. */
export function streamIdOf({ openedAtMillis, instance, number }: StreamPlace) {
  return `${openedAtMillis.toString(36)}-${instance}-${number.toString(36)}`
}

const form = /^([\da-z]{1,9})-([\da-f]{8})-([\da-z]{1,9})$/

/** Null if it is not a valid id. */
export function readStreamId(id: string): StreamPlace | null {
  const [, openedAt, instance, number] = form.exec(id) ?? []
  if (!openedAt || !instance || !number) return null
  return {
    openedAtMillis: Number.parseInt(openedAt, 36),
    instance,
    number: Number.parseInt(number, 36),
  }
}

/** Below 0 if the first one comes first. */
export function comparePlaces(one: StreamPlace, other: StreamPlace) {
  if (one.openedAtMillis !== other.openedAtMillis) return other.openedAtMillis - one.openedAtMillis
  if (one.instance !== other.instance) return one.instance < other.instance ? -1 : 1
  return other.number - one.number
}
