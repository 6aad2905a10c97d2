import type { EventRouter } from '../../events/contract.ts'
import type { StreamAuthOptions } from './stream-options.ts'

type Rules = Pick<StreamAuthOptions, 'filter' | 'recipients'>

/** Who gets what: as the application says, and else as the events themselves say. */
export function rulesOf({ events }: EventRouter, { filter, recipients }: Rules = {}): Rules {
  const declared = Object.entries(events).flatMap(([name, event]) => {
    const recipientsOf = event['~recipients']
    return recipientsOf ? [[name, recipientsOf] as const] : []
  })
  // An option that is set to undefined must not open an event to every stream.
  const named = Object.entries(recipients ?? {}).filter(([, recipientsOf]) => recipientsOf)
  const all = Object.fromEntries([...declared, ...named])
  return {
    ...(filter && { filter }),
    // Where no recipients are named, no index of subjects is kept.
    ...(Object.keys(all).length > 0 && { recipients: all }),
  }
}
