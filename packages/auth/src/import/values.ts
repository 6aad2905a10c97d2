/** A value of JSON or of a cell. Empty text is none; what no column could hold is none too. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value !== 'string' || value.length > 10_000) return undefined
  const text = value.replaceAll('\0', '').trim().toWellFormed()
  return text === '' ? undefined : text
}

const yes = new Set(['true', 't', '1', 'yes'])
const no = new Set(['false', 'f', '0', 'no'])

/** Whether it says yes: some systems keep a truth value, others the moment when it became one. */
export function flagOf(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  const text = textOf(value)?.toLowerCase()
  if (text === undefined || no.has(text)) return false
  return yes.has(text) || momentOf(text) !== undefined
}

const earliest = Date.UTC(1990, 0)
const latest = Date.UTC(2200, 0)

/** ISO 8601, PostgreSQL's form of it, or milliseconds, or seconds, since 1970. Undefined for anything else. */
export function momentOf(value: unknown): Date | undefined {
  const text = textOf(value)
  if (text === undefined) return undefined
  const millis = /^\d{9,13}$/.test(text)
    ? Number(text) * (text.length < 12 ? 1000 : 1)
    : Date.parse(isoOf(text))
  return millis >= earliest && millis < latest ? new Date(millis) : undefined
}

/** `2024-05-01 10:00:00.123+00` becomes `2024-05-01T10:00:00.123+00:00`; without a zone it is UTC. */
function isoOf(text: string) {
  const [, day, time, zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(
      text,
    ) ?? []
  if (!day) return text
  return `${day}T${time}${/^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone}`
}
