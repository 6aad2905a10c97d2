import type { EventRouter } from '../../events/contract.ts'
import type { StreamAuthOptions } from './stream-options.ts'

type Rules = Pick<StreamAuthOptions, 'filter' | 'recipients'>

/**
 * The rules for who gets which event: those of the application, and otherwise those of the events.
 */
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
    // Without recipients, no index of subjects is kept.
    ...(Object.keys(all).length > 0 && { recipients: all }),
  }
}
