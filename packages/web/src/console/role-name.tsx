import { useSay } from '../account-pages/account-pages.ts'

interface Props {
  name: string
  displayName: string | undefined
}

/** A role as every page shows it: what it is called, and by which name programs know it. */
export function RoleName({ name, displayName = name }: Props) {
  const say = useSay()
  return (
    <>
      <bdi>{say.fromApi(displayName)}</bdi> <code className="svc-tiny">{name}</code>
    </>
  )
}
