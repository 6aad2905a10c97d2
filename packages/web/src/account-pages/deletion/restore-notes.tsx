import { usePaths, useSay } from '../provider/account-provider.tsx'
import { TextLink } from '../ui/text-link.tsx'

export function RestoreNotes({ isRestored }: { isRestored: boolean }) {
  const paths = usePaths()
  const say = useSay()
  return (
    <>
      {!isRestored && (
        <>
          <p>
            {say(
              'We keep a deleted account for 30 days. Until then, you can restore it here, exactly as it was.',
            )}
          </p>
          <p>
            {say.nodes('Account not deleted? <link>Sign in</link>', {
              link: (text) => <TextLink href={paths.signIn}>{text}</TextLink>,
            })}
          </p>
        </>
      )}
      <p>
        {isRestored ? (
          <>
            {say.nodes(
              'If you did not delete it yourself, someone else used your account: set <link>a new password</link>.',
              { link: (text) => <TextLink href={paths.forgotPassword}>{text}</TextLink> },
            )}
          </>
        ) : (
          <>
            {say.nodes(
              'If you did not delete it yourself, someone else used your account: restore it, then set <link>a new password</link>.',
              { link: (text) => <TextLink href={paths.forgotPassword}>{text}</TextLink> },
            )}
          </>
        )}
      </p>
    </>
  )
}
