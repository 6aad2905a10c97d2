import { Or } from '../ui/or.tsx'
import { SocialButtons } from './social-buttons.tsx'
import { webProviders } from './web-providers.ts'

/** Above the ways to prove an address: none of them is needed with a provider. */
export async function SocialSignUp({ returnTo }: { returnTo: string }) {
  const providers = await webProviders()
  if (providers.length === 0) return null
  return (
    <div className="mb-5 grid gap-3">
      <SocialButtons providers={providers} returnTo={returnTo} />
      <Or />
    </div>
  )
}
