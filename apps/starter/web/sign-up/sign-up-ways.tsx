import { withReturnTo } from '../sign-in/sign-in-address.ts'
import { LinkTabs } from '../ui/link-tabs.tsx'

interface Props {
  way: 'code' | 'link'
  returnTo: string
}

/** Two ways to show that an address is one's own. */
export function SignUpWays({ way, returnTo }: Props) {
  const addresses = {
    code: withReturnTo('/register', returnTo),
    link: withReturnTo('/signup', returnTo),
  }
  return (
    <LinkTabs
      label="Ways to create an account"
      current={addresses[way]}
      tabs={[
        { href: addresses.code, label: 'With a code by email' },
        { href: addresses.link, label: 'With a link by email' },
      ]}
    />
  )
}
