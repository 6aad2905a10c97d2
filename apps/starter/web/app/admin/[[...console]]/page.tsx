import { Console, type ConsoleProps } from '@svc/web/console/next'
import { Denied } from '../../../admin/denied.tsx'

export { consoleMetadata as generateMetadata } from '@svc/web/console/next'

export default function Page(given: ConsoleProps) {
  return <Console {...given} denied={(permission) => <Denied permission={permission} />} />
}
