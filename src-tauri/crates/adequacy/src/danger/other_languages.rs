//! Common phrases for data loss in other languages: a verb of deletion near a word for stored data,
//! in either order, active or passive. Words for buttons, forms and menus nearby suppress the
//! alarm.

use std::cell::Cell;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// Verbs of deletion and words for stored data in one language, as regex alternatives.
struct Language {
    verbs: &'static str,
    data: &'static str,
}

const LANGUAGES: &[Language] = &[
    // German
    Language {
        verbs: r"(?:aus|ge)?l[öo]sch(?:e|en|t|te|ung)?|(?:ge)?leer(?:e|en|t)|verwerf(?:e|en)|verworfen|vernicht(?:e|en|et)|[üu]berschr(?:eib|ieb)(?:e|en)|zur[üu]ckgesetzt|zur[üu]cksetzen|formatier(?:e|en|t)|k[öo]nnen\s+weg|kann\s+weg",
        data: r"(?:produktions?|kunden|benutzer|nutzer|live)?-?(?:datenbank(?:en)?|datens[äa]tze|daten)|(?:alle|alte)[nr]?\s+(?:zeilen|eintr[äa]ge|konten|bestellungen)|tabellen?|backups?|sicherung(?:en|skopien)?|festplatten?|buckets?|datentr[äa]ger|partition(?:en)?|speicher|historie",
    },
    // French
    Language {
        verbs: r"supprim(?:er|e|ez|[ée]e?s?)|suppression|effac(?:er|e|ez|[ée]e?s?)|vid(?:er|e|ez|[ée]e?s?)|purg(?:er|e|ez|[ée]e?s?)|d[ée]truire|d[ée]truit(?:e|es|s)?|[ée]cras(?:er|e|ez|[ée]e?s?)|peuvent\s+dispara[îi]tre",
        data: r"bases?\s+de\s+donn[ée]es|donn[ée]es|tables?\s+sql|(?:toutes\s+les|les\s+anciennes)\s+(?:tables|lignes|commandes)|enregistrements|sauvegardes?|disques?|buckets?|stockage|comptes\s+(?:clients?|utilisateurs?)|historique\s+git",
    },
    // Spanish and Portuguese
    Language {
        verbs: r"elimin(?:ar|a|e|en|ad[oa]s?)|eliminaci[óo]n|borr(?:ar|a|e|en|ad[oa]s?)|vaci(?:ar|a|e|en|ad[oa]s?)|purg(?:ar|a|ue|ad[oa]s?)|destru(?:ir|ye|id[oa]s?)|sobrescri(?:bir|ta|to)|trunc(?:ar|a|ad[oa]s?)|apag(?:ar|a|ue|uem|ad[oa]s?)|exclu(?:ir|i|a|[íi]d[oa]s?)|esvazi(?:ar|e|ad[oa]s?)|limp(?:ar|e|ad[oa]s?)",
        data: r"(?:base|bases|banco|bancos)\s+de\s+da(?:t|d)os|datos|dados|tablas|tabelas|registros|copias?\s+de\s+seguridad|c[óo]pias?\s+de\s+seguran[çc]a|respaldos?|backups?|discos?|almacenamiento|armazenamento|buckets?|todas\s+las\s+cuentas|todas\s+as\s+contas",
    },
    // Italian
    Language {
        verbs: r"cancell(?:are|a|ate|at[oaie])|cancellazione|elimin(?:are|a|ate|at[oaie])|svuot(?:are|a|ate|at[oaie])|distrugg(?:ere|i|ete)|distrutt[oaie]|sovrascriv(?:ere|i|ete)|sovrascritt[oaie]",
        data: r"database|banc(?:a|he)\s+dati|basi?\s+(?:di\s+)?dati|dati|tabelle|record|backup|copie\s+di\s+sicurezza|disc(?:o|hi)|bucket",
    },
    // Dutch
    Language {
        verbs: r"verwijder(?:en|d|t)?|wis(?:sen|t)?|gewist|leegmaken|geleegd|vernietig(?:en|d)?",
        data: r"databases?|productiedatabase|klantgegevens|gegevens|tabellen|back-?ups?|schij(?:f|ven)|buckets?",
    },
    // Russian
    Language {
        verbs: r"удал(?:ить|ите|и|яем|ять|ены|ена|ено|ён|ение)|очист(?:ить|ите|и|ка|ку)|очищен[аоы]?|стереть|сотри(?:те)?|стёрт[аоы]?|уничтож(?:ить|ьте|ь)|сброс(?:ить|ьте|ь)|перезапис(?:ать|ывать)",
        data: r"баз(?:а|у|ы|е)(?:\s+данных)?|данн(?:ые|ых)|таблиц(?:а|у|ы)?|записи|резервн(?:ые|ую|ых)\s+копи[июй]|бэкап(?:ы|ов)?|диск(?:и|а)?|хранилищ(?:е|а)|бакет(?:ы|а)?|истори[юяи]\s+(?:git|коммитов)",
    },
    // Chinese
    Language {
        verbs: r"删除|刪除|清空|清除|擦除|销毁|銷毀|丢弃|格式化|覆盖|覆蓋|抹掉|抹除",
        data: r"数据库|資料庫|数据|数据表|资料|資料|生产|备份|備份|存储|儲存|硬盘|磁盘|分区|存储桶|所有用户|记录|記錄|历史",
    },
    // Japanese
    Language {
        verbs: r"削除|消去|クリア|空に|破棄|初期化|上書き|フォーマット",
        data: r"データベース|データ|テーブル|レコード|バックアップ|ストレージ|ディスク|バケット|本番|履歴",
    },
    // Korean
    Language {
        verbs: r"삭제|지우|지운|비우|비운|초기화|폐기|덮어쓰",
        data: r"데이터베이스|데이터|테이블|레코드|백업|저장소|스토리지|디스크|버킷|운영",
    },
];

/// Words nearby that show that the phrase is about a screen or code.
const ON_SCREEN: &str = r"(?i)schaltfläche|knopf|button|formular|dialog|menü|komponente|endpunkt|funktion|testdaten|lokal|bouton|formulaire|fen[êe]tre|composant|point de terminaison|bot[óo]n|botão|formulario|formulário|pantalla|tela|componente|pulsante|modulo|schermata|knop|formulier|кнопк|форм[ауы]|экран|компонент|按钮|按鈕|组件|对话框|表单|接口|功能|缓存|测试数据|本地|开发|ボタン|フォーム|画面|コンポーネント|キャッシュ|テストデータ|ローカル|開発|機能|버튼|화면|컴포넌트|캐시|기능|테스트|로컬|개발";

/// Whether the phrase removes a code symbol from a store rather than the store itself: "从数据库删除
/// `Row`".
fn is_from_store(text: &str, found: &Range<usize>) -> bool {
    text[..found.start].ends_with(['从', '從']) && text[found.end..].trim_start().starts_with('`')
}

/// The first phrase for which `counts` is true.
pub(super) fn find(text: &str, counts: impl Fn(&Range<usize>) -> bool) -> Option<Range<usize>> {
    static ANY: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let near = |language: &Language| {
            let Language { verbs, data } = language;
            // Scripts without spaces have no word boundaries and need a smaller gap.
            let (open, close, gap) = if verbs.starts_with(|c: char| c.is_ascii()) {
                (r"(?-u:\b)", r"(?-u:\b)", r"[^.;,\n]{0,50}?")
            } else {
                ("", "", r"[^.;,。，；\n]{0,16}?")
            };
            format!(
                "{open}(?:{verbs}){close}{gap}{open}(?:{data}){close}|{open}(?:{data}){close}{gap}(?:{verbs}){close}"
            )
        };
        let any: Vec<String> = LANGUAGES.iter().map(near).collect();
        Regex::new(&format!("(?i)(?:{})", any.join("|"))).ok()
    });
    static SCREEN: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(ON_SCREEN).ok());
    // The range of the most recently examined line, and whether that line is about a screen.
    let last = Cell::new(None);
    let is_of_screen = |found: &Range<usize>| {
        if let Some((start, end, says)) = last.get()
            && start <= found.start
            && found.end <= end
        {
            return says;
        }
        let line_start = text[..found.start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[found.end..]
            .find('\n')
            .map_or(text.len(), |at| found.end + at);
        let says = SCREEN
            .as_ref()
            .is_some_and(|screen| screen.is_match(&text[line_start..line_end]));
        last.set(Some((line_start, line_end, says)));
        says
    };
    ANY.as_ref()?
        .find_iter(text)
        .map(|found| found.range())
        .find(|found| !is_of_screen(found) && !is_from_store(text, found) && counts(found))
}
