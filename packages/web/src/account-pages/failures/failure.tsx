import { useSay } from '../provider/account-provider.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { failureWords } from './failure-words.ts'

/** What a person can do about an action that failed, at the place of the action. */
export function Failure({ of: error }: { of: unknown }) {
  const say = useSay()
  return <Outcome problem={error ? failureWords(say, error) : ''} />
}
