'use client'

import { useSay } from '../provider/account-provider.tsx'

/** The decision is made, and the browser goes to the client. */
export function Leaving({ to }: { to: string }) {
  const say = useSay()
  return (
    <p role="status" className="svc-paragraph">
      {say.nodes(
        'We are sending you back to the program that sent you here. If nothing happens, <link>continue yourself</link>. Then you can close this page.',
        {
          link: (text) => (
            <a href={to} className="svc-link">
              {text}
            </a>
          ),
        },
      )}
    </p>
  )
}
