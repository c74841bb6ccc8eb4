import { LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendComponent, MarkLineComponent, TitleComponent } from 'echarts/components';
import * as echarts from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

echarts.use([LineChart, ScatterChart, GridComponent, LegendComponent, MarkLineComponent, TitleComponent, SVGRenderer]);

/** Told apart by people who do not see red and green alike. */
export const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#8a6d00', '#56b4e9'];
export const TEXT = '#24292f';
export const FAINT = '#d0d7de';

/** A chart as SVG, on white: it is read in light and in dark mode. */
export function renderSvg(
  option: echarts.EChartsCoreOption,
  size: { readonly width: number; readonly height: number },
): string {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, ...size });
  try {
    chart.setOption({
      animation: false,
      backgroundColor: '#ffffff',
      color: COLOURS,
      textStyle: { color: TEXT },
      ...option,
    });
    return shorten(chart.renderToSVGString());
  } finally {
    chart.dispose();
  }
}

/**
 * Pixels need no more than one decimal. Without the styles of a page with a pointer, which are numbered on, the same
 * results give the same file.
 */
function shorten(svg: string): string {
  const still = svg
    .replaceAll(/<style[^>]*>.*?<\/style>\s*/gs, '')
    .replaceAll(/ (?:class|pointer-events|ecmeta_\w+)="[^"]*"/g, '')
    .replaceAll(/zr\d+-/g, 'c-');
  return `${still.replaceAll(/\d+\.\d{2,}/g, (number) => `${Math.round(Number(number) * 10) / 10}`)}\n`;
}
