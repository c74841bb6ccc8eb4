import type { ErasureReceipt } from '@annals/sdk';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button } from 'react-aria-components';
import { saveFile } from '../parts/save-file.ts';
import { Failed, Section, TwoSteps } from './parts.tsx';
import { useVisit } from './visit.tsx';

/** Everything as a file, and its erasure. */
interface YourDataProps {
  readonly onErased: (receipt: ErasureReceipt) => void;
}

export function YourData({ onErased }: YourDataProps) {
  const { t } = useTranslation();
  const { visit, end } = useVisit();
  const { client, userId } = visit;
  const download = useMutation({
    async mutationFn() {
      const lines: string[] = [];
      for await (const line of client.users.export(userId)) lines.push(`${JSON.stringify(line)}\n`);
      saveFile('annals-export.jsonl', 'application/x-ndjson', lines);
    },
  });
  const erase = useMutation({
    mutationFn: () => client.users.erase(userId),
    onSuccess: (erased) => {
      end();
      onErased(erased);
    },
  });
  return (
    <Section title={t('data.title')}>
      <p>
        <Button onPress={() => download.mutate()} isPending={download.isPending}>
          {t('data.download')}
        </Button>
      </p>
      <TwoSteps
        first={t('data.erase')}
        question={t('data.eraseSure')}
        second={t('data.eraseYes')}
        isPending={erase.isPending}
        onConfirm={() => erase.mutate()}
      />
      {download.error && <Failed error={download.error} />}
      {erase.error && <Failed error={erase.error} />}
    </Section>
  );
}
