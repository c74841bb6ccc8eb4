import type { ErasureReceipt } from '@annals/sdk';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, I18nProvider } from 'react-aria-components';
import { Choices } from '../parts/choices.tsx';
import { Insights } from './insights.tsx';
import { LANGUAGES } from './languages.ts';
import { Memories } from './memories.tsx';
import { useDay } from './parts.tsx';
import { Proposals } from './proposals.tsx';
import { useVisit, VisitProvider } from './visit.tsx';
import { YourData } from './your-data.tsx';

/** What is remembered about the person who opened the link, in plain words. */
export function PersonPage() {
  const { t, i18n } = useTranslation();
  const codes = Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[];
  return (
    <I18nProvider locale={i18n.language}>
      <div className="shell person">
        <header>
          <Choices
            label={t('language')}
            options={codes.map((code) => ({ id: code, name: LANGUAGES[code] }))}
            value={i18n.language}
            onChange={(code) => void i18n.changeLanguage(code)}
          />
        </header>
        <main id="main">
          <VisitProvider
            opening={<p role="status">{t('loading')}</p>}
            closed={<Notice title={t('closed.title')} text={t('closed.text')} />}
            left={<Notice title={t('left.title')} text={t('left.text')} />}
          >
            <Visited />
          </VisitProvider>
        </main>
      </div>
    </I18nProvider>
  );
}

function Visited() {
  const { t } = useTranslation();
  const { leave } = useVisit();
  const toDay = useDay();
  const [receipt, setReceipt] = useState<ErasureReceipt | null>(null);
  // Nothing is left to be shown.
  if (receipt)
    return (
      <>
        <h1>{t('data.title')}</h1>
        <p role="status">{t('data.erased', { day: toDay(receipt.erased_at), id: receipt.id })}</p>
      </>
    );
  return (
    <>
      <h1>{t('title')}</h1>
      <p>{t('intro')}</p>
      <Memories />
      <Proposals />
      <Insights />
      <YourData onErased={setReceipt} />
      <p>
        <Button className="react-aria-Button quiet" onPress={leave}>
          {t('leave')}
        </Button>
      </p>
    </>
  );
}

function Notice({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <>
      <h1>{title}</h1>
      <p role="status">{text}</p>
    </>
  );
}
