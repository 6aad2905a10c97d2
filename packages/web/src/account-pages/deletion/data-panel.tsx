import { useSay } from '../provider/account-provider.tsx'
import { Panel } from '../ui/panel.tsx'
import { ExportButton } from './export-button.tsx'

export function DataPanel({ title }: { title: string }) {
  const say = useSay()
  return (
    <Panel
      title={title}
      about={say(
        'Download your profile, your devices and the records of your account as a JSON file. It contains no passwords and no keys.',
      )}
    >
      <ExportButton />
    </Panel>
  )
}
