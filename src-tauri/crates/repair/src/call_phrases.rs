//! Phrases in nine languages that show whether a call is made or only talked about. This is only a
//! table; the rules are in `call_intent`.
//!
//! Phrases are lowercase and separated by `|`; a `*` at either end stands for the rest of a word.
//! Languages without spaces between words are searched as is. Only phrases about whether the call
//! is made belong here. Phrases that describe a state ("does not exist", "was set", "the log shows
//! an error") are just as likely before a call that is really made.

/// Phrases in the sentence before a call, by their meaning.
pub(super) struct PhrasesBefore {
    /// Phrases that state a condition, a hypothesis or a later time; they override any stated
    /// intention.
    pub(super) conditional: Phrases,
    /// Phrases that say that the call should not be made; they override any stated intention.
    pub(super) refused: Phrases,
    /// Phrases that say that the call is an example, a form, one of several options, dangerous, or
    /// somebody else's.
    pub(super) shown: Phrases,
    /// Phrases that say that the call was already made.
    pub(super) past: Phrases,
    /// Phrases that say that the call is being made now.
    pub(super) intended: Phrases,
}

/// Phrases in the text after a call, by their meaning.
pub(super) struct PhrasesAfter {
    /// Phrases that say that the call was wrong or should not be made.
    pub(super) retracted: Phrases,
    /// Phrases that say that somebody must agree first.
    pub(super) awaits_approval: Phrases,
    /// Phrases that state the result of the call, which the model has invented.
    pub(super) has_result: Phrases,
}

/// A list of phrases; in each string, they are separated by `|`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Phrases(pub(super) &'static [&'static str]);

impl Phrases {
    /// The position of the last phrase found in a lowercase text.
    pub(super) fn last_in(self, text: &str) -> Option<usize> {
        let all = self.0.iter().flat_map(|line| line.split('|'));
        all.filter_map(|phrase| last_of(text, phrase)).max()
    }

    /// Whether a lowercase text is one of the phrases.
    pub(super) fn are_all_of(self, text: &str) -> bool {
        let mut all = self.0.iter().flat_map(|line| line.split('|'));
        all.any(|phrase| phrase == text)
    }

    /// Whether a lowercase text contains one of the phrases.
    pub(super) fn are_in(self, text: &str) -> bool {
        self.last_in(text).is_some()
    }
}

/// The last position at which a phrase occurs as separate words; where it has a `*`, the word may
/// be longer.
fn last_of(text: &str, phrase: &str) -> Option<usize> {
    let (is_begin, is_end) = (phrase.ends_with('*'), phrase.starts_with('*'));
    let phrase = phrase.trim_matches('*');
    let is_joined = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_unspaced(c));
    let begins = !is_end && is_joined(phrase.chars().next());
    let ends = !is_begin && is_joined(phrase.chars().next_back());
    let found = text.rmatch_indices(phrase).find(|(at, _)| {
        let before = text[..*at].chars().next_back();
        let after = text[at + phrase.len()..].chars().next();
        !(begins && is_joined(before) || ends && is_joined(after))
    });
    found.map(|(at, _)| at)
}

/// Whether a character belongs to a script without spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

/// The phrases for text before a call.
pub(super) const BEFORE: PhrasesBefore = PhrasesBefore {
    conditional: Phrases(&[
        "if|unless|in case|otherwise|would|could|might|maybe|perhaps|possibly|hypothetically",
        "suppose|supposing|assuming|imagine|later|once you|after you|as soon as|when you",
        "next time|after approval|my plan|the plan is|the plan would|planned steps|plan:",
        "one idea|what about|tempted|i'd|you'd",
        "wenn|falls|sofern|würde|würden|könnte|könnten|vielleicht|eventuell|angenommen|später",
        "sobald|mein plan|der plan ist|nächstes mal|ob|plan:",
        "si|s'il|s'ils|au cas où|pourrait|pourrais|pourrions|peut-être|éventuellement",
        "supposons|plus tard|dès que|une fois que|mon plan|le plan est|*erais|*erait|*irais",
        "*irait|*drais|plan :",
        "en caso de|podría|podrías|podríamos|quizá|quizás|tal vez|supongamos|más tarde",
        "en cuanto|una vez que|cuando me|mi plan|el plan es|haría|sería|*aría|*aríamos",
        "debería",
        "caso os|caso o|caso a|caso você|em caso de|talvez|poderia|poderíamos|suponha",
        "mais tarde|assim que|depois que você|meu plano|o plano é|faria|seria|se o|se os",
        "se as|se você|se algo|se for|se não|se isso|se eu|eu usaria",
        "qualora|nel caso|potrei|potrebbe|potremmo|forse|magari|supponiamo|più tardi",
        "non appena|una volta che|il mio piano|il piano è|sarebbe|*erei|*irei|se il|se i",
        "se gli|se lo|se la|se le|se non|se vuoi|se questo|se fosse",
        "если|бы|в случае|возможно|может быть|предположим|позже|потом|как только|когда вы",
        "мой план|план такой|план:",
        "如果|若|要是|假如|假设|的话|万一|也许|可能会|稍后|之后会|等你|我的计划|计划是",
        "计划如下|计划：",
        "もし|たら|なら|場合|かもしれ|仮に|後で|あとで|次第|計画は|計画です|計画：",
    ]),
    refused: Phrases(&[
        "will not|won't|would not|wouldn't|should not|shouldn't|must not|mustn't|not going to",
        "i cannot|i can't|we cannot|we can't|cannot run|can't run|cannot do|can't do",
        "cannot call|can't call|cannot execute|i do not|i don't|we do not|we don't",
        "please do not|please don't|do not run|don't run|do not call|don't call|do not do",
        "don't do|do not use|don't use|never run|never call|never do|never use|never execute",
        "never write|never delete|i never|refuse*|declin*|not run|not call|not execute",
        "not be run|not be executed|not be called|not be done|not allowed|no need",
        "not necessary|without running|avoid running|avoid calling|avoid this|avoid doing",
        "forbidden|bad idea|not safe|not recommended|not supposed",
        "werde nicht|werde das nicht|werde ich nicht|werde dies nicht|werde ihn nicht",
        "werde es nicht|werde diesen|sollte nicht|sollte man nicht|solltest du nicht",
        "sollten nicht|darf nicht|dürfen nicht|ich kann nicht|kann ich nicht|kann das nicht",
        "kann dies nicht|will nicht|möchte nicht|nicht ausführ*|nicht aufruf*",
        "nicht auszuführ*|nicht aufzuruf*|nicht starten|nicht lösch*|niemals|auf keinen fall",
        "keinesfalls|lieber nicht|bitte nicht|weigere*|verboten|nicht nötig|nicht tun",
        "nicht machen|verzicht*|lasse ich das|besser nicht",
        "ne vais pas|n'vais pas|ne dois pas|ne faut pas|faut jamais|ne doit pas|ne devons pas",
        "ne devrais pas|ne peux pas|ne veux pas|ne ferai pas|ne lancerai pas|ne pas|je refuse",
        "refuse*|interdit*|n'exécut*|ne lanc*|n'appel*|inutile de|pas besoin|ne fais pas",
        "n'écris pas|n'utilis*|pas question",
        "no voy a|no debo|no debe|no debemos|no debería*|no hay que|no puedo|no quiero",
        "no ejecut*|no lo ejecut*|no lo haré|no llam*|no usar|no uses|no hagas|no haré",
        "me niego|prohibid*|no es necesario|no hace falta|no conviene|nunca ejecut*|nunca us*",
        "nunca llam*|nunca hag*|jamás ejecut*",
        "não vou|não devo|não deve|não devemos|não posso|não quero|não execut*|não cham*",
        "não farei|não us*|recuso|me recuso|proibid*|não é necessário|não é preciso|não faça",
        "nunca execut*|nunca us*|nunca cham*|nunca faça",
        "non eseguir*|non esegu*|non devo|non deve|non dobbiamo|non si deve|non posso",
        "non voglio|non chiam*|non lanc*|non us*|non farò|rifiut*|vietat*|non serve",
        "non è necessario|non fare|mai eseguir*|mai usar*|mai lanci*|mai chiam*",
        "не буду|не будем|не стану|не следует|нельзя|не надо|не нужно|не запуска*|не выполня*",
        "не выполню|не вызыва*|не могу|не хочу|не стоит|никогда не|отказываюсь|откажусь",
        "запрещ*",
        "我不会|不会执行|不会运行|不会调用|不要|我不能|不能执行|不能运行|不能调用|不应|不该",
        "不可以|别运行|别执行|别调用|别这样|别写|别删|拒绝|不执行|不运行|不调用|不建议|切勿",
        "千万|禁止|无需|不想|不必|不打算",
        "実行しません|実行しない|呼び出しません|呼び出さない|実行できません|べきでは|べきじゃ",
        "禁止|ないでください|やめ|使いません|しないつもり|拒否|行いません",
    ]),
    shown: Phrases(&[
        "for example|for instance|e.g.|an example|example:|examples:|example call|such as",
        "looks like|look like|in the form|of the form|like this|like so|you can|you may",
        "one can|a sample|the template|either|option a|option b|option 1|option 2|option one",
        "two options|options:|another option|alternatively|one way|another way|two ways",
        "possibilities|suggested|suggests|proposed|proposes|recommended|recommends",
        "previous model|previous assistant|other model|another model|another agent",
        "other agent|previous agent|colleague|coworker|you said|you wrote|you sent|user wrote",
        "user said|user sent|readme says|readme contains|readme shows|readme has",
        "in the readme|from the readme|docs say|docs show|documentation says",
        "documentation shows|in the docs|from the docs|in the log|log contains|log has",
        "logs contain|from the log|transcript|quote|quoted|tutorial|bug report|dangerous",
        "unsafe|risky|a call to|e-mail|forum|stack overflow|someone|somebody|instead of",
        "in place of|had asked|used to|format is|syntax is|format:|syntax:|means|yourself",
        "aufruf, den|aufruf den|l'appel que|l'appel qu'|вызов, который|所做的|做的调用",
        "zum beispiel|z. b.|z.b.|beispiel:|beispielsweise|beispielaufruf|ein beispiel|etwa so",
        "sieht so aus|so aus|man kann|du kannst|entweder|möglichkeiten|variante a|variante 1",
        "option a|option 1|zwei optionen|alternativ|schlug|vorgeschlagen|vorschlag|schlägt",
        "empfahl|empfiehlt|vorige modell|vorherige modell|andere modell|anderes modell",
        "kollege|kollegin|laut|schrieb|steht in|steht im|im readme|in der anleitung",
        "in der dokumentation|im protokoll|im log|zitat|zitiere|gefährlich*|riskant|hieß es",
        "statt|jemand|form:|format:|bedeutet|nutzer schickte|anstelle",
        "par exemple|exemple :|exemple:|un exemple|exemple d'appel|ressemble à|on peut",
        "vous pouvez|tu peux|option a|option 1|deux options|deux possibilités|alternativement",
        "suggéré|suggère|suggérait|proposé|propose|proposait|recommande|recommandé",
        "modèle précédent|autre modèle|collègue|selon|d'après|disait|a écrit|dans le journal",
        "dans les logs|dans la doc|dans le readme|le readme dit|le readme indique|la doc dit",
        "citation|dangereux|dangereuse|risqué|ou bien|plutôt que|au lieu de|quelqu'un",
        "signifie|consisterait",
        "por ejemplo|ejemplo:|un ejemplo|se ve así|se puede|puedes|opción a|opción 1",
        "dos opciones|alternativamente|posibilidades|sugirió|sugiere|sugería|propuso|propone",
        "recomienda|recomendó|modelo anterior|otro modelo|otro agente|colega|compañero|según",
        "decía|dijo|escribió|en el registro|en el log|en la documentación|en el readme",
        "el readme dice|la documentación dice|cita|peligros*|arriesgad*|en lugar de|en vez de",
        "alguien|significa",
        "por exemplo|exemplo:|um exemplo|parece assim|pode-se|você pode|opção a|opção 1",
        "duas opções|alternativamente|sugeriu|sugere|propôs|propõe|recomenda|recomendou",
        "modelo anterior|outro modelo|outro agente|segundo o|segundo a|dizia|disse|escreveu",
        "no registro|no log|na documentação|no readme|o readme diz|citação|perigos*|arriscad*",
        "em vez de|ao invés de|alguém|colega|significa",
        "ad esempio|per esempio|esempio:|un esempio|si può|puoi|opzione a|opzione 1",
        "due opzioni|in alternativa|ha suggerito|suggerisce|suggeriva|ha proposto|propone",
        "consiglia|modello precedente|altro modello|altro agente|secondo il|secondo la",
        "secondo i|diceva|ha detto|ha scritto|nel registro|nel log|nella documentazione",
        "nel readme|il readme dice|citazione|pericolos*|rischios*|invece di|anziché|qualcuno",
        "collega|significa",
        "например|пример:|пример вызова|вот пример|выглядит так|варианта|вариант 1|вариант а",
        "либо|предложил|предложила|предлагает|предлагал|советует|рекомендует",
        "предыдущая модель|другая модель|другой агент|согласно|сказано|сказал|написал",
        "написано|в журнале|в логе|в логах|в документации|в readme|цитата|цитирую|опасно",
        "опасна|опасен|рискован*|вместо|кто-то|коллега|означает|пользователь прислал",
        "例如|比如|譬如|示例|举例|例子：|格式如下|格式是|语法是|要么|方案一|方案a|两种方案",
        "选项a|另一种|建议|推荐|提议|之前的模型|上一个模型|其他模型|另一个模型|说过|写道|写着",
        "提到|日志里|日志中|文档里|文档中|文档说|引用|同事|用户说|里说|危险|而不是|有人",
        "意思是|类似这样|像这样",
        "例えば|たとえば|例：|例:|例として|できます|どちらか|選択肢|案1|案a|提案|推奨",
        "前のモデル|別のモデル|によると|と書|と言|ログに|ログには|ドキュメントに|readmeに",
        "引用|同僚|ユーザーが|危険|誰か|代わりに|意味",
    ]),
    past: Phrases(&[
        "already ran|already run|already call*|already execut*|already did|already done",
        "already made|already wr*|already tried|already creat*|already appl*|already delet*",
        "already sent|already us*|i ran|i called|i executed|i used|i wrote|i made|i tried",
        "i sent|i applied|i deleted|i did|have run|i've run|have called|i've called",
        "have executed|i've executed|was run|was called|was executed|were run|been run",
        "been executed|been called|just ran|just called|just executed|had run|made earlier",
        "ran earlier|last call|previous call|earlier call|previously|earlier|yesterday",
        "last turn|a moment ago",
        "ausgeführt|aufgerufen|laufen lassen|laufen gelassen|gestartet|abgesetzt",
        "bereits gemacht|schon gemacht|habe ich bereits|habe bereits|habe ich schon",
        "habe schon|hatte ich|ich hatte|vorhin|gestern|soeben|letzter aufruf|letzten aufruf",
        "voriger aufruf|lief",
        "j'ai déjà|j'ai exécuté|j'ai lancé|j'ai appelé|j'ai utilisé|j'ai fait|j'ai écrit",
        "j'ai créé|j'avais|a déjà été|a été exécuté*|a été lancé*|a été appelé*|précédemment",
        "tout à l'heure|auparavant|viens de|dernier appel|appel précédent|plus tôt",
        "ya he|ya ejecut*|ya llam*|ya hice|ya lancé|ya escribí|ya creé|ya se ejecut*|ejecuté",
        "llamé|usé|lancé|hice|escribí|creé|he ejecutado|he llamado|había ejecutado|acabo de",
        "anteriormente|ayer|hace un momento|hace un rato|fue ejecutad*|se ejecutó",
        "já executei|já rodei|já chamei|já fiz|já foi|executei|chamei|rodei|usei|fiz|escrevi",
        "criei|acabei de|tinha executado|anteriormente|ontem|há pouco|foi executad*",
        "ho già|ho eseguito|ho chiamato|ho lanciato|ho usato|ho fatto|ho scritto|ho creato",
        "avevo|già eseguit*|in precedenza|ieri|poco fa|appena eseguit*|è stato eseguito",
        "è stata eseguita",
        "уже запуск*|уже запустил*|уже выполн*|уже вызыв*|уже вызвал*|уже делал*|уже сдел*",
        "я запустил*|я выполнил*|я вызвал*|я вызывал*|я запускал*|ранее|раньше|вчера",
        "только что|в прошлый раз|был выполнен|была выполнена|выполнил*|запустил*|вызвал*",
        "运行过|执行过|调用过|执行了|运行了|调用了|写入了|已经执行|已经运行|已经调用|已经写",
        "已经创建|之前运行|之前执行|之前调用|刚才|刚刚|上次|昨天|先前|曾",
        "実行しました|呼び出しました|作成しました|書き込みました|実行済み|先ほど|さっき|昨日",
        "前回|以前|実行した|呼び出した|済み",
    ]),
    intended: Phrases(&[
        "i'll|i will|i am going to|i'm going to|let me|let's|i need to|i must|we need to",
        "here is|here's|here it is|now|calling|running|creating|writing|editing|fixing|adding|updating",
        "replacing|changing|so i|therefore|proceed*|go ahead|going ahead|first|next|doing it",
        "starting|i am now|time to|i create|i write|i add|i change|i fix",
        "ich werde|werde ich|jetzt|nun|hier ist|hier kommt|also|zuerst|als erstes",
        "als nächstes|lass mich|daher|deshalb|lege ich|erstelle ich|schreibe ich|ändere ich",
        "ersetze ich|ich erstelle|ich schreibe|ich ändere|ich lege|ich füge|ich führe",
        "ich ersetze|ich korrigiere|los geht|muss",
        "je vais|maintenant|voici|d'abord|donc|ensuite|je crée|j'écris|je modifie|je corrige",
        "j'ajoute|je lance|j'exécute|je remplace|je procède|allons-y|je mets",
        "voy a|ahora|aquí está|aquí va|primero|entonces|así que|por tanto|por eso|escribo",
        "modifico|corrijo|añado|agrego|ejecuto|reemplazo|procedo|paso a|vamos a|creo",
        "vou|agora|aqui está|primeiro|então|portanto|por isso|crio|escrevo|altero|corrijo",
        "adiciono|executo|substituo|prossigo|vamos",
        "ora|adesso|ecco|prima di tutto|quindi|perciò|procedo|creo|scrivo|modifico|correggo",
        "aggiungo|eseguo|sostituisco|sto per|passo a|vado a",
        "сейчас|теперь|вот|сначала|поэтому|создаю|создам|пишу|напишу|меняю|изменю|исправляю",
        "исправлю|добавляю|добавлю|запускаю|запущу|выполняю|заменяю|заменю|приступаю",
        "现在|我将|我来|让我|下面|首先|接下来|于是|所以我|因此|马上|开始|这就|我会|我要|只替换|只修改|只改|仅替换|仅修改",
        "今|これから|では|まず|次に|作成します|実行します|修正します|追加します|変更します",
        "書きます|そこで|それでは|ので",
    ]),
};

/// The phrases for text after a call.
pub(super) const AFTER: PhrasesAfter = PhrasesAfter {
    retracted: Phrases(&[
        "is wrong|was wrong|be wrong|that's wrong|is incorrect|was incorrect|wait|awaiting|hold on",
        "do not run|don't run|do not execute|don't execute|not run|not execute it",
        "scratch that|never mind|nevermind|ignore that|ignore the|ignore this|forget that",
        "forget it|i was mistaken|my mistake|bad idea|dangerous|is what|was what",
        "on second thought|cancel that|not what|no, |too risky|should not be|shouldn't be",
        "must not|but i won't|but i will not|but not|i won't|i will not|i would not",
        "would have|would delete|would overwrite|would break|would only",
        "ist falsch|war falsch|wäre falsch|das ist nicht richtig|moment|halt|stopp|vergiss",
        "doch nicht|nicht ausführen|nicht ausgeführt|nicht aufrufen|lieber nicht|ignorier*",
        "gefährlich*|mein fehler|besser nicht|darf nicht|sollte nicht|würde",
        "est faux|c'est faux|est incorrect|attends|attendez|oublie|oubliez|ne pas exécuter",
        "ne l'exécute*|ne lance*|ignore*|dangereux|mauvaise idée|je me suis trompé*",
        "en fait non|ne le fais pas|ne le ferai pas|serait",
        "está mal|es incorrect*|espera|un momento|olvida*|no lo ejecut*|no ejecut*|ignora*",
        "peligros*|mala idea|me equivoqué|mejor no|no lo haré|no lo hagas|sería",
        "está errad*|é incorret*|espera|espere|esqueç*|não execut*|ignore*|perigos*|má ideia",
        "me enganei|melhor não|não farei|não o faça|seria",
        "è sbagliat*|è errat*|aspetta|un attimo|dimentica*|non eseguir*|ignora*|pericolos*",
        "cattiva idea|mi sono sbagliat*|meglio di no|non lo farò|sarebbe",
        "неверно|неправильно|стоп|подожди*|забудь*|не запуска*|не выполня*|игнорир*|опасн*",
        "плохая идея|я ошибся|я ошиблась|лучше не|не надо|не буду",
        "不对|错了|是错的|等等|等一下|忘了|不要执行|不要运行|别执行|别运行|忽略|危险|算了",
        "我搞错|取消|不该|不应",
        "間違|待って|実行しない|やめ|無視|危険|取り消|忘れて|しません|いけません|しないで",
    ]),
    awaits_approval: Phrases(&[
        "confirm|confirmation|approve|approval|your permission|go-ahead|your ok|your okay|await*|pending",
        "if i should|whether i should|whether to|before i|before running|once you|if you want",
        "if you'd like|if you agree|if you like|if that's ok|if that is ok|which one",
        "waiting for|tell me|let me know which|if it's fine|your call|say yes|say the word",
        "bestätig*|freigabe|freigeb*|genehmig*|einverstanden|zustimm*|wenn du willst",
        "wenn du möchtest|wenn sie möchten|wenn sie wollen|sag bescheid|sag mir|bevor ich",
        "erst wenn|ob ich|welche von|warte auf",
        "confirme*|confirmez|confirmer|valide*|approuve*|votre accord|ton accord|d'accord",
        "si vous voulez|si tu veux|si vous le souhaitez|dites-moi|dis-moi|avant de|avant que",
        "laquelle|lequel|j'attends",
        "confirma*|confirme*|aprueb*|aprobación|permiso|de acuerdo|si quieres|si quiere",
        "si estás|dime|avísame|antes de|cuál de|cuál prefier*|espero tu",
        "confirma*|confirme*|aprova*|permissão|de acordo|se quiser|se você quiser|me diga",
        "me avise|antes de|qual dos|qual delas|aguardo",
        "conferma*|approv*|permesso|d'accordo|se vuoi|se vuole|dimmi|fammi sapere se|prima di",
        "quale dei|quale delle|attendo",
        "подтверд*|одобр*|разрешени*|согласны|согласен|если хотите|если хочешь|скажите|скажи",
        "прежде чем|какой из|жду",
        "确认|批准|同意|许可|如果你|如果您|告诉我|之前先|哪一个|哪个|等你|等待您",
        "確認|承認|許可|よければ|よろしければ|教えて|前に|どちら|待ち",
    ]),
    has_result: Phrases(&[
        "it worked|it ran|it failed|it printed|it returned|and got|i got|the result was",
        "the output was|was executed|was run|that worked|exit code 0|returned 0|succeeded",
        "was refused|was rejected",
        "hat funktioniert|lief durch|schlug fehl|ergab|das ergebnis war|die ausgabe war",
        "wurde ausgeführt|wurde abgelehnt|hat geklappt",
        "a fonctionné|a échoué|le résultat était|la sortie était|a été exécuté*|a été refusé*",
        "a renvoyé|a réussi",
        "funcionó|falló|el resultado fue|la salida fue|fue ejecutad*|fue rechazad*|devolvió",
        "funcionou|falhou|o resultado foi|a saída foi|foi executad*|foi recusad*|retornou",
        "ha funzionato|è fallit*|il risultato era|l'output era|è stato eseguito",
        "è stato rifiutat*|ha restituito",
        "сработал*|не удалось|результат был|вывод был|был выполнен|была выполнена|вернул*",
        "прошло успешно",
        "成功了|失败了|结果是|输出是|已执行|被拒绝|返回了",
        "成功しました|失敗しました|結果は|出力は|実行されました|拒否され|返しました",
    ]),
};

/// Texts that show that two calls are alternatives, if nothing else is between the calls.
pub(super) const ALTERNATIVES: Phrases = Phrases(&[
    "or|or else|or this|oder|oder aber|ou|ou bien|ou alors|o|o bien|o si no|ou então|oppure|или|либо|或者|或|还是|要么",
    "または|もしくは|あるいは",
]);

/// Phrases in questions about whether to make the call.
pub(super) const CONFIRMATIONS: Phrases = Phrases(&[
    "shall i|should i|should we|shall we|do you want|would you like|may i|can i",
    "is that ok|is this ok|okay|ok|does that|does this|do you agree|which",
    "what do you think|sound good|right",
    "soll ich|sollen wir|möchtest du|willst du|darf ich|ist das|passt das|einverstanden",
    "welche|stimmt",
    "dois-je|faut-il|voulez-vous|veux-tu|puis-je|est-ce|ça vous|ça te|d'accord|laquelle",
    "lequel",
    "debo|quieres|quiere|puedo|te parece|le parece|está bien|de acuerdo|cuál",
    "devo|quer que|posso|você quer|está bem|tudo bem|qual|pode ser",
    "devo|vuoi che|vuole che|posso|va bene|d'accordo|quale|procedo",
    "мне|хотите|хочешь|можно|согласны|верно|так|какой|стоит ли",
    "要我|需要我|是否|可以吗|好吗|行吗|对吗|哪个|要不要|吗",
    "しましょうか|よろしい|いいです|ますか|どちら|でしょうか|か",
]);

/// The first words of questions that don't ask whether to make the call.
pub(super) const OPEN_QUESTIONS: Phrases = Phrases(&[
    "what|how|why|where|who|when|was muss|was soll|wie|warum|wo|que faut|comment|pourquoi|qué|cómo|por qué|o que",
    "como|por que|che cosa|cosa|come|perché|что|как|почему|什么|怎么|如何|为什么|何を|どう|なぜ",
]);

/// Negations after a call, which say that it isn't made.
pub(super) const NEGATIONS: Phrases = Phrases(&[
    "not|never|no longer|don't|didn't|won't|nothing|nicht|nie|kein|keine|niemals|ne|n'*|jamais|rien|no|nunca|nada",
    "não|nem|non|mai|niente|не|никогда|ничего|нет|不|没|没有|别|未|ません|ない|しない|なかった",
]);
/// Words whose negation doesn't cancel a call but limits it: what stays unchanged, and what isn't
/// needed.
pub(super) const SCOPE_LIMITS: Phrases = Phrases(&[
    "chang*|touch*|alter*|modif*|delet*|remov*|else|other|only|affect*|break*|lost|need*|anything|more than",
    "änder*|berühr*|lösch*|sonst|ander*|nur|verlier*|touche*|supprim*|autre*|seulement|perd*|cambi*|toc*|borr*|otr*",
    "solo|más|alter*|mud*|apag*|outr*|só|mais|modific*|cancell*|altr*|più|измен*|трога*|удал*|друг*|только|кроме",
    "改|变|删|其他|其它|只|别的|影响|変更|変え|削除|他|だけ",
]);
/// Words after a call that refer back to it as a quotation.
pub(super) const REFERENCES: Phrases = Phrases(&[
    "above|quoted|for reference|verbatim|obige*|oben|zitiert|ci-dessus|cité|de arriba|citado|acima|sopra|citato",
    "выше|приведён*|上面|以上|上述|上記|という",
]);

/// Words that occur in questions about what else to do, not about the call.
pub(super) const FOLLOW_UPS: Phrases = Phrases(&[
    "else|anything|more|further|other|next|another",
    "sonst|noch|weiteres|weitere|anderes|als nächstes",
    "autre|autres|encore|d'autre|ensuite|suite",
    "más|otra|otro|algo|siguiente",
    "mais|outra|outro|algo|seguinte",
    "altro|altra|ancora|prossimo",
    "ещё|еще|другое|дальше|что-нибудь",
    "其他|其它|还有|还需要|别的|下一步",
    "他に|ほかに|次",
]);
