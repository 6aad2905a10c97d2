import { usePaths, useSay } from '../provider/account-provider.tsx'
import { LinkTabs } from '../ui/link-tabs.tsx'
import { withReturnTo } from '../ui/sign-in-address.ts'

interface Props {
  way: 'code' | 'link'
  returnTo: string
}

/** Two ways to show that an address is one's own. */
export function SignUpWays({ way, returnTo }: Props) {
  const paths = usePaths()
  const say = useSay()
  const addresses = {
    code: withReturnTo(paths.register, returnTo),
    link: withReturnTo(paths.signUp, returnTo),
  }
  return (
    <LinkTabs
      label={say('Ways to create an account')}
      current={addresses[way]}
      tabs={[
        { href: addresses.code, label: say('With a code by email') },
        { href: addresses.link, label: say('With a link by email') },
      ]}
    />
  )
}
