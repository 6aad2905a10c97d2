import { defineEvent, defineEventRouter, t } from '../../index.ts'
import type { StreamAuthOptions } from '../access/stream-options.ts'

const Payload = t.Object({ n: t.Integer(), to: t.Array(t.String()) })

export interface Payload {
  n: number
  to: string[]
}

/** Whether a filter allows an emission. The model computes it in the same way. */
export const passes = (subject: string, { n }: Payload) => (n + Number(subject.slice(1))) % 3 > 0

export const events = {
  open: defineEvent('model.open', Payload),
  ruled: defineEvent('model.ruled', Payload),
  own: defineEvent('model.own', Payload),
  filtered: defineEvent('model.filtered', Payload),
}

export type Name = keyof typeof events

export const names: readonly Name[] = ['open', 'ruled', 'own', 'filtered']

export const router = defineEventRouter(events, { history: { size: 10_000, ttl: 600_000 } })

/** The rules of the model's router; `mayHaveRuled` is what a role allows. */
export function authOf(
  mayHaveRuled: (subject: string) => boolean,
): StreamAuthOptions<typeof events> {
  return {
    enabled: true,
    authorize: async (subject, asked) =>
      asked.filter((name) => name !== 'ruled' || mayHaveRuled(subject)),
    filter: { filtered: passes },
    recipients: { own: ({ to }) => to },
  }
}
