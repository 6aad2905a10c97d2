import { Or } from '../ui/or.tsx'
import { SocialButtons } from './social-buttons.tsx'

interface Props {
  /** The ids of those that browsers can sign in with. */
  providers: readonly string[]
  returnTo: string
}

/** Above the ways to prove an address: none of them is needed with a provider. */
export function SocialSignUp({ providers, returnTo }: Props) {
  if (providers.length === 0) return null
  return (
    <div className="svc-stack svc-stack-3 svc-below-5">
      <SocialButtons providers={providers} returnTo={returnTo} />
      <Or />
    </div>
  )
}
