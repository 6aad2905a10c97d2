const unitMillis = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `7d`, `12h`, `45m`, `30s`, `500ms` as milliseconds; null for anything else. */
export function parseDuration(text: string) {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim())
  if (!match) return null
  return Number(match[1]) * unitMillis[match[2] as keyof typeof unitMillis]
}
