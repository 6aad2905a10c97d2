import {
  type EventRouter,
  hasPresence,
  isChannel,
  type OfChannel,
  type PresenceChange,
  presenceFrame,
  presenceKey,
} from '../../events/contract.ts'

export interface Emitted {
  /** The router's key of its event. */
  readonly key: string
  readonly json: string
  readonly payload: unknown
}

type As = 'channel' | { readonly presenceOf: string }

/** The keys that streams do not ask for under their own name. */
export type Showing = ReadonlyMap<string, As>

export function showingOf(router: EventRouter): Showing {
  const showing = new Map<string, As>()
  for (const [name, event] of Object.entries(router.events)) {
    if (isChannel(event)) showing.set(name, 'channel')
    if (hasPresence(event)) showing.set(presenceKey(name), { presenceOf: name })
  }
  return showing
}

/** The name by which streams ask for an emission, and the text that they get. */
export function shownAs(as: As | undefined, { key, json, payload }: Emitted) {
  if (as === undefined) return { name: key, wireName: key, json }
  if (as === 'channel') return saidIn(key, payload as OfChannel<unknown>)
  const { of: id, ...change } = payload as PresenceChange
  const name = `${as.presenceOf}:${id}`
  const told = JSON.stringify({ channel: name, ...change })
  return { name, wireName: presenceFrame, json: told, payload: change }
}

/** A stream follows channels by name, and gets the payload for their resource. */
function saidIn(key: string, { of: id, data }: OfChannel<unknown>) {
  const name = `${key}:${id}`
  return { name, wireName: name, json: JSON.stringify(data) ?? 'null' }
}
