<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>{name} is not attached: {reason}.</source>
        <translation>未附加 {name}：{reason}。</translation>
    </message>
    <message>
        <source>{name} is not attached: it is no PNG, JPEG, WebP or GIF.</source>
        <translation>未附加 {name}：不是 PNG、JPEG、WebP 或 GIF。</translation>
    </message>
    <message>
        <source>{name} is not attached: it has {width} × {height} pixels, more than {most} million. Make it smaller.</source>
        <translation>未附加 {name}：它有 {width} × {height} 像素，超过 {most} 百万。请缩小。</translation>
    </message>
    <message>
        <source>The background picture {name}</source>
        <translation>背景图片 {name}</translation>
    </message>
    <message>
        <source>{name} is not in the folder of the document. Copy it there.</source>
        <translation>{name} 不在文档的文件夹中。请复制到那里。</translation>
    </message>
    <message>
        <source>{name} cannot be read: it is not a PNG, JPEG, BMP, GIF or WebP. Replace it by one, or import a drawing.</source>
        <translation>无法读取 {name}：不是 PNG、JPEG、BMP、GIF 或 WebP。请替换，或导入图纸。</translation>
    </message>
    <message>
        <source>{name} has {width} × {height} pixels, more than {most} million. Make it smaller.</source>
        <translation>{name} 有 {width} × {height} 像素，超过 {most} 百万。请缩小。</translation>
    </message>
    <message>
        <source>{name} cannot be read: {reason}. Replace it by a PNG or JPEG picture.</source>
        <translation>无法读取 {name}：{reason}。请以 PNG 或 JPEG 图片替换。</translation>
    </message>
    <message>
        <source>Reading the background picture</source>
        <translation>读取背景图片</translation>
    </message>
    <message>
        <source>Pictures (*.png *.jpg *.jpeg *.bmp *.gif *.webp)</source>
        <translation>图片 (*.png *.jpg *.jpeg *.bmp *.gif *.webp)</translation>
    </message>
    <message>
        <source>A picture of another folder is copied beside the document.</source>
        <translation>其他文件夹中的图片会复制到文档旁。</translation>
    </message>
    <message>
        <source>Background picture</source>
        <translation>背景图片</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>左</translation>
    </message>
    <message>
        <source>Top</source>
        <translation>上</translation>
    </message>
    <message>
        <source>Scale ({unit} per pixel)</source>
        <translation>比例（每像素 {unit}）</translation>
    </message>
    <message>
        <source>Opacity</source>
        <translation>不透明度</translation>
    </message>
    <message>
        <source>No picture</source>
        <translation>无图片</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>True distance of the two points, such as 25 mm:</source>
        <translation>两点的实际距离，例如 25 mm：</translation>
    </message>
    <message>
        <source>Scale the picture</source>
        <translation>缩放图片</translation>
    </message>
    <message>
        <source>Document: no background</source>
        <translation>文档：无背景</translation>
    </message>
    <message>
        <source>Shown: {description}</source>
        <translation>显示：{description}</translation>
    </message>
    <message>
        <source>{words}
Click to show all rays.</source>
        <translation>{words}
点击显示全部光线。</translation>
    </message>
    <message>
        <source>{words}. Show all rays</source>
        <translation>{words}。显示全部光线</translation>
    </message>
    <message>
        <source>Hidden objects still act on light. Click to show them.</source>
        <translation>隐藏的对象仍作用于光。点击显示。</translation>
    </message>
    <message>
        <source>{count} hidden   ×</source>
        <translation>隐藏 {count} 个   ×</translation>
    </message>
    <message>
        <source>{count} hidden. Show what is hidden</source>
        <translation>隐藏 {count} 个。显示隐藏的对象</translation>
    </message>
    <message>
        <source>Tracing: {progress}</source>
        <translation>追迹：{progress}</translation>
    </message>
    <message>
        <source>Tracing</source>
        <translation>追迹</translation>
    </message>
    <message>
        <source>{words}   Esc stops   ×</source>
        <translation>{words}   Esc 停止   ×</translation>
    </message>
    <message>
        <source>{words}. Stop</source>
        <translation>{words}。停止</translation>
    </message>
    <message>
        <source>{count} of the {least} points that it needs</source>
        <translation>所需 {least} 个点中的 {count} 个</translation>
    </message>
    <message>
        <source>No {noun} was made: only {few} were clicked.</source>
        <translation>未创建{noun}：只点击了{few}。</translation>
    </message>
    <message>
        <source> or more</source>
        <translation> 或更多</translation>
    </message>
    <message>
        <source>A {noun} needs {least} points{more}. Click some more.</source>
        <translation>{noun}需要 {least} 个点{more}。请继续点击。</translation>
    </message>
    <message>
        <source>New {noun}</source>
        <translation>新{noun}</translation>
    </message>
    <message>
        <source>{new}: click its points, or type where they are. Esc leaves the tool.</source>
        <translation>{new}：点击各点，或输入其位置。Esc 退出工具。</translation>
    </message>
    <message>
        <source>{new}: click its point {points} of {count}. Esc takes the last point back.</source>
        <translation>{new}：点击第 {points} 个点，共 {count} 个。Esc 撤回最后一点。</translation>
    </message>
    <message>
        <source>click the first point or press Enter to finish</source>
        <translation>点击第一个点，或按 Enter 完成</translation>
    </message>
    <message>
        <source>click its points</source>
        <translation>点击各点</translation>
    </message>
    <message>
        <source>{new}: {more}. Esc takes the last point back.</source>
        <translation>{new}：{more}。Esc 撤回最后一点。</translation>
    </message>
    <message>
        <source>{new}: click or type its place, or drag to turn it. Its data are on the left. Esc leaves the tool.</source>
        <translation>{new}：点击或输入其位置，或拖动以转动。数据在左侧。Esc 退出工具。</translation>
    </message>
    <message>
        <source>{new}: click or type its place. Esc leaves the tool.</source>
        <translation>{new}：点击或输入其位置。Esc 退出工具。</translation>
    </message>
    <message>
        <source>{new}: click its other end, or type a length and an angle. Shift: 45°, Ctrl: symmetric, Esc: back.</source>
        <translation>{new}：点击另一端，或输入长度和角度。Shift：45°，Ctrl：对称，Esc：返回。</translation>
    </message>
    <message>
        <source>{new}: drag it out, click its ends, or type where the first is. Esc leaves the tool.</source>
        <translation>{new}：拖出，点击两端，或输入第一端的位置。Esc 退出工具。</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Move the selection by one unit, or one step of the grid</source>
        <translation>将所选对象移动一个单位或一个网格步长</translation>
    </message>
    <message>
        <source>Shift+Arrow keys</source>
        <translation>Shift+方向键</translation>
    </message>
    <message>
        <source>Alt+Arrow keys</source>
        <translation>Alt+方向键</translation>
    </message>
    <message>
        <source>Move it by {factor:g} of them</source>
        <translation>按其 {factor:g} 倍移动</translation>
    </message>
    <message>
        <source>Move it by {factor:g} of one</source>
        <translation>按其 {factor:g} 移动</translation>
    </message>
    <message>
        <source>Pan</source>
        <translation>平移</translation>
    </message>
    <message>
        <source>Cancel a drag; stop a long trace; take back a point, then leave the tool; else select nothing; else remove the highlight</source>
        <translation>取消拖动；停止长时间追迹；撤回一点，然后退出工具；否则取消选择；再则清除突出显示</translation>
    </message>
    <message>
        <source>Backspace, Ctrl+Z</source>
        <translation>Backspace、Ctrl+Z</translation>
    </message>
    <message>
        <source>While an object is drawn, or measured: take back the last point</source>
        <translation>绘制或测量对象时：撤回最后一点</translation>
    </message>
    <message>
        <source>Finish an outline; with a tool, place an object in the middle</source>
        <translation>完成轮廓；使用工具时在中央放置对象</translation>
    </message>
    <message>
        <source>With a tool: type the place of the first point, then the length and the angle to the next; 100 50 gives both</source>
        <translation>使用工具时：输入第一点的位置，然后输入到下一点的长度和角度；100 50 同时给出两者</translation>
    </message>
    <message>
        <source>After a click on a ray or a measurement: take the next of several rays there</source>
        <translation>点击光线或测量之后：选取该处的下一条光线</translation>
    </message>
    <message>
        <source>Double click</source>
        <translation>双击</translation>
    </message>
    <message>
        <source>On a handle: type its coordinates, length, angle or radius</source>
        <translation>在控制柄上：输入其坐标、长度、角度或半径</translation>
    </message>
    <message>
        <source>Draw, move or turn in steps: 0°, 45°, 90° and the original direction</source>
        <translation>分步绘制、移动或转动：0°、45°、90° 和原方向</translation>
    </message>
    <message>
        <source>Move a copy; with a tool, draw symmetrically about the start</source>
        <translation>移动副本；使用工具时以起点为中心对称绘制</translation>
    </message>
    <message>
        <source>Do not snap</source>
        <translation>不吸附</translation>
    </message>
    <message>
        <source>Space, Left, Right, Home, End</source>
        <translation>空格、左、右、Home、End</translation>
    </message>
    <message>
        <source>While a study is played: play or pause, a step back or forward, to the first or last row</source>
        <translation>播放研究时：播放或暂停，后退或前进一步，到第一行或最后一行</translation>
    </message>
    <message>
        <source>The selection is locked and cannot be moved. Unlock it in its properties to move it.</source>
        <translation>所选对象已锁定，不能移动。请在其属性中解锁。</translation>
    </message>
    <message>
        <source>{title} is no longer in the scene.</source>
        <translation>{title} 已不在场景中。</translation>
    </message>
    <message>
        <source>point {id}</source>
        <translation>点 {id}</translation>
    </message>
    <message>
        <source>Centre of rotation</source>
        <translation>旋转中心</translation>
    </message>
    <message>
        <source>first point</source>
        <translation>第一点</translation>
    </message>
    <message>
        <source>next point</source>
        <translation>下一点</translation>
    </message>
    <message>
        <source>The fit to the light</source>
        <translation>适合光线</translation>
    </message>
    <message>
        <source>Open a scene with Ctrl+O, drop a file here, or take a part from the library</source>
        <translation>用 Ctrl+O 打开场景，将文件拖到此处，或从元件库取用元件</translation>
    </message>
    <message>
        <source>Ray {place} of {count} here. Tab shows the next.</source>
        <translation>此处第 {place} 条光线，共 {count} 条。Tab 显示下一条。</translation>
    </message>
    <message>
        <source>The full picture of the rays</source>
        <translation>光线的完整图像</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>另有 {count} 项</translation>
    </message>
    <message>
        <source>The picture of the rays</source>
        <translation>光线的图像</translation>
    </message>
    <message>
        <source>The picture of the highlighted rays</source>
        <translation>突出显示光线的图像</translation>
    </message>
    <message>
        <source>… {count} more letters. Export the conversation to read them.</source>
        <translation>… 另有 {count} 个字符。请导出对话以阅读。</translation>
    </message>
    <message>
        <source>Pasted picture</source>
        <translation>粘贴的图片</translation>
    </message>
    <message>
        <source>Only a model looks at pictures. Connect one first.</source>
        <translation>只有模型才能看图片。请先连接模型。</translation>
    </message>
    <message>
        <source>A message takes at most {most} pictures.</source>
        <translation>一条消息最多附 {most} 张图片。</translation>
    </message>
    <message>
        <source>Picture: {name}</source>
        <translation>图片：{name}</translation>
    </message>
    <message>
        <source>Reading the picture</source>
        <translation>读取图片</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>移除 {name}</translation>
    </message>
    <message>
        <source>Remove this picture from the message</source>
        <translation>从消息中移除此图片</translation>
    </message>
    <message>
        <source>Click to see it on the canvas, click again to zoom to it</source>
        <translation>单击在画布上显示，再次单击放大</translation>
    </message>
    <message>
        <source>Highlight {name}: {question}</source>
        <translation>突出显示 {name}：{question}</translation>
    </message>
    <message>
        <source>Click to highlight them, double click (Z) to zoom to them.</source>
        <translation>单击突出显示，双击（Z）放大。</translation>
    </message>
    <message>
        <source>The scene has changed since: ask again, or undo.</source>
        <translation>此后场景已更改：请重新提问，或撤销。</translation>
    </message>
    <message>
        <source>Read only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>Ask first</source>
        <translation>先询问</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Ask, or type / for a command</source>
        <translation>提问，或输入 / 使用命令</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Take it back into the field; it is not sent</source>
        <translation>取回输入框；不会发送</translation>
    </message>
    <message>
        <source>Completions</source>
        <translation>补全</translation>
    </message>
    <message>
        <source>Picture…</source>
        <translation>图片…</translation>
    </message>
    <message>
        <source>Attach pictures, which can also be dropped or pasted</source>
        <translation>附加图片，也可拖入或粘贴</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>What the agent may do</source>
        <translation>助手的权限</translation>
    </message>
    <message>
        <source>End this turn (Esc)</source>
        <translation>结束此轮（Esc）</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>发送（Enter）</translation>
    </message>
    <message>
        <source>Pictures ({names})</source>
        <translation>图片 ({names})</translation>
    </message>
    <message>
        <source>Attach pictures</source>
        <translation>附加图片</translation>
    </message>
    <message>
        <source> (and {count} more)</source>
        <translation>（另有 {count} 项）</translation>
    </message>
    <message>
        <source>Next{more}: {queue}</source>
        <translation>接下来{more}：{queue}</translation>
    </message>
    <message>
        <source>Message to the agent</source>
        <translation>给助手的消息</translation>
    </message>
    <message>
        <source>Tool use</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>As text</source>
        <translation>以文字方式</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新建</translation>
    </message>
    <message>
        <source>Begin a new conversation</source>
        <translation>开始新的对话</translation>
    </message>
    <message>
        <source>Another address</source>
        <translation>其他地址</translation>
    </message>
    <message>
        <source>its name there</source>
        <translation>其在该处的名称</translation>
    </message>
    <message>
        <source>https://{host}</source>
        <translation>https://{host}</translation>
    </message>
    <message>
        <source>Any server with the Messages API or chat completions, for example http://localhost:11434/v1</source>
        <translation>任何支持 Messages API 或 chat completions 的服务器，例如 http://localhost:11434/v1</translation>
    </message>
    <message>
        <source>How the model calls tools: by its own tool use or, for models without, written as text in its replies</source>
        <translation>模型调用工具的方式：其自身的工具调用；若没有，则在回复中写为文字</translation>
    </message>
    <message>
        <source>Kept in memory until the program ends, or in the system&apos;s keyring; never written to a file.</source>
        <translation>保存在内存中直到程序结束，或保存在系统密钥环中；从不写入文件。</translation>
    </message>
    <message>
        <source>Keep the key in the system&apos;s keyring</source>
        <translation>将密钥保存在系统密钥环中</translation>
    </message>
    <message>
        <source>The most replies of the model to one question, each with its calls; the last one answers</source>
        <translation>模型对一个问题的最多回复数，每次回复含其调用；最后一次作答</translation>
    </message>
    <message>
        <source>Search the web</source>
        <translation>搜索网络</translation>
    </message>
    <message>
        <source>Let Anthropic&apos;s models search the web themselves. What they search for leaves this computer.</source>
        <translation>让 Anthropic 的模型自行搜索网络。其搜索内容会离开本机。</translation>
    </message>
    <message>
        <source>Test and connect</source>
        <translation>测试并连接</translation>
    </message>
    <message>
        <source>Go offline</source>
        <translation>离线</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Connect a model</source>
        <translation>连接模型</translation>
    </message>
    <message>
        <source>{name} at {host}{value}</source>
        <translation>{name}，位于 {host}{value}</translation>
    </message>
    <message>
        <source>Offline</source>
        <translation>离线</translation>
    </message>
    <message>
        <source>{host} lists {models}.</source>
        <translation>{host} 提供 {models}。</translation>
    </message>
    <message>
        <source>Listing the models</source>
        <translation>列出模型</translation>
    </message>
    <message>
        <source>Asking {host} for its models …</source>
        <translation>正在向 {host} 查询模型 …</translation>
    </message>
    <message>
        <source>A server on this computer needs no key.</source>
        <translation>本机上的服务器不需要密钥。</translation>
    </message>
    <message>
        <source>Without one here, the key is that of {variable}.</source>
        <translation>此处没有时，使用 {variable} 的密钥。</translation>
    </message>
    <message>
        <source>Without one here, the key is the one in the system&apos;s keyring. Without the tick it is removed there.</source>
        <translation>此处没有时，使用系统密钥环中的密钥。取消勾选会将其删除。</translation>
    </message>
    <message>
        <source>Kept until the program ends, in memory only, unless it goes into the keyring.</source>
        <translation>仅保存在内存中直到程序结束，除非存入密钥环。</translation>
    </message>
    <message>
        <source>Kept until the program ends, in memory only.</source>
        <translation>仅保存在内存中，直到程序结束。</translation>
    </message>
    <message>
        <source> To keep it, set {variable} before the program starts.</source>
        <translation> 要保留它，请在程序启动前设置 {variable}。</translation>
    </message>
    <message>
        <source>Asking the system&apos;s keyring</source>
        <translation>访问系统密钥环</translation>
    </message>
    <message>
        <source>The system&apos;s keyring</source>
        <translation>系统密钥环</translation>
    </message>
    <message>
        <source>Testing …</source>
        <translation>正在测试 …</translation>
    </message>
    <message>
        <source>{title} is selected</source>
        <translation>已选中 {title}</translation>
    </message>
    <message>
        <source>{count} more</source>
        <translation>另有 {count} 项</translation>
    </message>
    <message>
        <source>{count} more objects are selected</source>
        <translation>另选中 {count} 个对象</translation>
    </message>
    <message>
        <source>{count} characters</source>
        <translation>{count} 个字符</translation>
    </message>
    <message>
        <source>, the first of {count}</source>
        <translation>，前 {count} 个</translation>
    </message>
    <message>
        <source>the notes of {path} ({size}{value})</source>
        <translation>{path} 的说明（{size}{value}）</translation>
    </message>
    <message>
        <source>the notes of {path} cannot be read ({unread})</source>
        <translation>无法读取 {path} 的说明（{unread}）</translation>
    </message>
    <message>
        <source>Leave out: {about}</source>
        <translation>略去：{about}</translation>
    </message>
    <message>
        <source>The model is told: {about}. Click to leave it out.</source>
        <translation>已告知模型：{about}。点击可略去。</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Python script (*.py)</source>
        <translation>Python 脚本 (*.py)</translation>
    </message>
    <message>
        <source>Save the conversation as</source>
        <translation>对话另存为</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Copy as Python</source>
        <translation>复制为 Python</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Reading the conversations</source>
        <translation>读取对话</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>较早</translation>
    </message>
    <message>
        <source>Open an earlier conversation about this scene</source>
        <translation>打开关于此场景的较早对话</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Copy or save this conversation</source>
        <translation>复制或保存此对话</translation>
    </message>
    <message>
        <source>Reading {title}…</source>
        <translation>正在读取 {title}…</translation>
    </message>
    <message>
        <source>{value}, connected over MCP:</source>
        <translation>{value}，经 MCP 连接：</translation>
    </message>
    <message>
        <source>Answering… Esc stops</source>
        <translation>正在回答… Esc 停止</translation>
    </message>
    <message>
        <source>Waits for your answer</source>
        <translation>等待您的回答</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>Reading the notes of the project</source>
        <translation>读取项目说明</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>The tools of the project {name} are available: type / to see them.</source>
        <translation>项目 {name} 的工具可用：输入 / 查看。</translation>
    </message>
    <message>
        <source> ({count} from the cache)</source>
        <translation>（其中 {count} 来自缓存）</translation>
    </message>
    <message>
        <source>{count} tokens{of_cache} · {price}</source>
        <translation>{count} 个 token{of_cache} · {price}</translation>
    </message>
    <message>
        <source>Enter sends</source>
        <translation>按 Enter 发送</translation>
    </message>
    <message>
        <source>Ask about the light in this scene. The rays an answer is about light up on the canvas.</source>
        <translation>请询问此场景中的光；没有模型时用英语。回答所涉及的光线会在画布上亮起。</translation>
    </message>
    <message>
        <source>Open a scene, and ask about its light here.</source>
        <translation>打开场景，并在此询问其中的光；没有模型时用英语。</translation>
    </message>
    <message>
        <source>Search the commands</source>
        <translation>搜索命令</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>No command has these words.</source>
        <translation>没有含这些词的命令。</translation>
    </message>
    <message>
        <source>Show earlier questions ({questions})</source>
        <translation>显示较早的提问 ({questions})</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Go on with this question. What was found and changed so far stays</source>
        <translation>继续此问题。目前找到和更改的内容保留</translation>
    </message>
    <message>
        <source>Compared with {name}</source>
        <translation>与 {name} 比较</translation>
    </message>
    <message>
        <source>{count} differences</source>
        <translation>{count} 处差异</translation>
    </message>
    <message>
        <source>1 difference</source>
        <translation>1 处差异</translation>
    </message>
    <message>
        <source>, of which the first {most} are listed</source>
        <translation>，列出前 {most} 项</translation>
    </message>
    <message>
        <source>{count} from {name}{more}. Objects are the same where name and kind are.</source>
        <translation>与 {name} 有 {count}{more}。名称和类型相同即为同一对象。</translation>
    </message>
    <message>
        <source>This scene is equal to {name}.</source>
        <translation>此场景与 {name} 相同。</translation>
    </message>
    <message>
        <source>Object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>此处</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>已删除</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Compare with a scene</source>
        <translation>与场景比较</translation>
    </message>
    <message>
        <source>No other scene is open</source>
        <translation>没有打开其他场景</translation>
    </message>
    <message>
        <source>Comparing with {name}</source>
        <translation>与 {name} 比较</translation>
    </message>
    <message>
        <source>Not everything is as in the file:</source>
        <translation>并非全部与文件一致：</translation>
    </message>
    <message>
        <source>… and {more} more.</source>
        <translation>… 另有 {more} 项。</translation>
    </message>
    <message>
        <source>Label of edge {short}</source>
        <translation>边 {short} 的标签</translation>
    </message>
    <message>
        <source>Label edges</source>
        <translation>标记边</translation>
    </message>
    <message>
        <source>Labels of your own for the edges of {name}, such as Entrance:</source>
        <translation>为 {name} 的边自定标签，例如 Entrance：</translation>
    </message>
    <message>
        <source>{name} already exists in {value}. Replace it?</source>
        <translation>{value} 中已有 {name}。替换？</translation>
    </message>
    <message>
        <source>The selection is locked. Unlock it in its properties to {verb} it.</source>
        <translation>所选对象已锁定。请在其属性中解锁后再操作（{verb}）。</translation>
    </message>
    <message>
        <source>{objects} {done}</source>
        <translation>{objects} {done}</translation>
    </message>
    <message>
        <source>aligned: {name}</source>
        <translation>已对齐：{name}</translation>
    </message>
    <message>
        <source>distributed horizontally</source>
        <translation>已水平分布</translation>
    </message>
    <message>
        <source>distributed vertically</source>
        <translation>已竖直分布</translation>
    </message>
    <message>
        <source>Angle, counter-clockwise as seen, such as 7 or 0.1 rad:</source>
        <translation>角度，逆时针为正，例如 7 或 0.1 rad：</translation>
    </message>
    <message>
        <source>Rotate</source>
        <translation>旋转</translation>
    </message>
    <message>
        <source>Factor, such as 2 or 1/3:</source>
        <translation>系数，例如 2 或 1/3：</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>There is a group {name} already. Give another name.</source>
        <translation>已有组 {name}。请另取名称。</translation>
    </message>
    <message>
        <source>{name} renamed to {other}</source>
        <translation>{name} 重命名为 {other}</translation>
    </message>
    <message>
        <source>Rename group</source>
        <translation>重命名组</translation>
    </message>
    <message>
        <source>Name of the group</source>
        <translation>组的名称</translation>
    </message>
    <message>
        <source>brought to front</source>
        <translation>已置于顶层</translation>
    </message>
    <message>
        <source>brought forward</source>
        <translation>已上移一层</translation>
    </message>
    <message>
        <source>sent to back</source>
        <translation>已置于底层</translation>
    </message>
    <message>
        <source>sent backward</source>
        <translation>已下移一层</translation>
    </message>
    <message>
        <source>The scene is still being traced. Choose it again when it is complete.</source>
        <translation>场景仍在追迹。完成后请再次选择。</translation>
    </message>
    <message>
        <source>{name} is locked. Unlock it in its properties to move it.</source>
        <translation>{name} 已锁定。请在其属性中解锁后移动。</translation>
    </message>
    <message>
        <source>moved to the best focus</source>
        <translation>已移到最佳焦点</translation>
    </message>
    <message>
        <source>Moving to the best focus</source>
        <translation>移到最佳焦点</translation>
    </message>
    <message>
        <source>PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf);;Rays as CSV (*.csv);;Rays as npz (*.npz);;Rays as XML (*.xml)</source>
        <translation>PNG 图片 (*.png);;SVG 图形 (*.svg);;PDF 页面 (*.pdf);;光线 CSV (*.csv);;光线 npz (*.npz);;光线 XML (*.xml)</translation>
    </message>
    <message>
        <source>Largest round scale</source>
        <translation>最大规整比例</translation>
    </message>
    <message>
        <source>Largest that fits</source>
        <translation>可容纳的最大比例</translation>
    </message>
    <message>
        <source>Export figure</source>
        <translation>导出图形</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Area</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Unit of the width</source>
        <translation>宽度的单位</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Scale</source>
        <comment>drawing</comment>
        <translation>比例</translation>
    </message>
    <message>
        <source>Scale</source>
        <comment>pixels</comment>
        <translation>倍率</translation>
    </message>
    <message>
        <source>Scale of the drawing</source>
        <translation>绘图比例</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>页边距</translation>
    </message>
    <message>
        <source>Error of the light</source>
        <translation>光的误差</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>Caption</source>
        <translation>图注</translation>
    </message>
    <message>
        <source>None, the figure alone</source>
        <translation>无，仅图形</translation>
    </message>
    <message>
        <source>Visible part</source>
        <translation>可见部分</translation>
    </message>
    <message>
        <source>Whole scene</source>
        <translation>整个场景</translation>
    </message>
    <message>
        <source>px: of the picture. mm: on paper, where a text of the canvas is about as large as on the screen.</source>
        <translation>px：图片的像素。mm：纸上尺寸，画布文字约与屏幕上同大。</translation>
    </message>
    <message>
        <source>Pixels per logical pixel: scales line widths and text sizes.</source>
        <translation>每个逻辑像素的像素数：缩放线宽和文字大小。</translation>
    </message>
    <message>
        <source>The scale on paper, such as 1:2.</source>
        <translation>纸上比例，例如 1:2。</translation>
    </message>
    <message>
        <source>More rays are traced until the brightness of a PNG picture has at most this error; 0 leaves it as it is.</source>
        <translation>继续追迹光线，直到 PNG 图像亮度的误差不超过此值；0 表示保持原样。</translation>
    </message>
    <message>
        <source>Transparent background</source>
        <translation>透明背景</translation>
    </message>
    <message>
        <source>Scale bar</source>
        <translation>比例尺</translation>
    </message>
    <message>
        <source>Drawing scale</source>
        <translation>绘图比例</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>The preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>{width} × {height} pixels, {across:.0f} × {down:.0f} mm on paper</source>
        <translation>{width} × {height} 像素，纸上 {across:.0f} × {down:.0f} mm</translation>
    </message>
    <message>
        <source>Scale {scale}: larger than the page, so it is cut off.</source>
        <translation>比例 {scale}：大于页面，因此被截断。</translation>
    </message>
    <message>
        <source>Scale {scale}</source>
        <translation>比例 {scale}</translation>
    </message>
    <message>
        <source>Writing {name}</source>
        <translation>正在写入 {name}</translation>
    </message>
    <message>
        <source>GIF animation (*.gif);;MP4 video (*.mp4);;PNG frames (*.png)</source>
        <translation>GIF 动画 (*.gif);;MP4 视频 (*.mp4);;PNG 帧 (*.png)</translation>
    </message>
    <message>
        <source>MP4 needs the program ffmpeg, which is not found.</source>
        <translation>MP4 需要 ffmpeg 程序，但未找到。</translation>
    </message>
    <message>
        <source>Write film</source>
        <translation>写出影片</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>With the curve</source>
        <translation>含曲线</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>尺寸</translation>
    </message>
    <message>
        <source>Write…</source>
        <translation>写出…</translation>
    </message>
    <message>
        <source>{name} written</source>
        <translation>已写入 {name}</translation>
    </message>
    <message>
        <source>{first} to {last} written</source>
        <translation>已写入 {first} 到 {last}</translation>
    </message>
    <message>
        <source>Zemax lens (*.zmx);;CODE V lens (*.seq);;OSLO lens (*.len)</source>
        <translation>Zemax 透镜 (*.zmx);;CODE V 透镜 (*.seq);;OSLO 透镜 (*.len)</translation>
    </message>
    <message>
        <source>There are several lens systems. Select one first.</source>
        <translation>有多个透镜系统。请先选择一个。</translation>
    </message>
    <message>
        <source>Export {name}</source>
        <translation>导出 {name}</translation>
    </message>
    <message>
        <source>{name} was written</source>
        <translation>已写入 {name}</translation>
    </message>
    <message>
        <source>The file leaves out:</source>
        <translation>文件略去：</translation>
    </message>
    <message>
        <source>{path}: the picture cannot be written in this format. Give a path that ends in .png.</source>
        <translation>{path}：无法以此格式写入图片。请给出以 .png 结尾的路径。</translation>
    </message>
    <message>
        <source>Copying the picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Scene</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Preparing the page</source>
        <translation>准备页面</translation>
    </message>
    <message>
        <source>Scenes (*.json *.raybench *.txt *.link);;Lenses (*.zmx *.seq *.len);;Plain scenes (*.json);;Raybench documents (*.raybench);;Links and texts (*.txt *.link);;All files (*)</source>
        <translation>场景 (*.json *.raybench *.txt *.link);;透镜 (*.zmx *.seq *.len);;普通场景 (*.json);;Raybench 文档 (*.raybench);;链接和文本 (*.txt *.link);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Open a scene</source>
        <translation>打开场景</translation>
    </message>
    <message>
        <source>Reading {name}…</source>
        <translation>正在读取 {name}…</translation>
    </message>
    <message>
        <source>A link to a scene, or a scene as JSON:</source>
        <translation>场景链接，或 JSON 格式的场景：</translation>
    </message>
    <message>
        <source>Open link</source>
        <translation>打开链接</translation>
    </message>
    <message>
        <source>This text cannot be opened: {error}</source>
        <translation>无法打开此文本：{error}</translation>
    </message>
    <message>
        <source>{name} was opened</source>
        <translation>已打开 {name}</translation>
    </message>
    <message>
        <source>Link copied.</source>
        <translation>链接已复制。</translation>
    </message>
    <message>
        <source>Link copied</source>
        <translation>链接已复制</translation>
    </message>
    <message>
        <source>A link holds a plain scene:</source>
        <translation>链接只含普通场景：</translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>尚无</translation>
    </message>
    <message>
        <source>{out}: a film is not written as &apos;{value}&apos;. Let the name end in {names}.</source>
        <translation>{out}：影片不能写为“{value}”。请使名称以 {names} 结尾。</translation>
    </message>
    <message>
        <source>{out}: MP4 is made by the program ffmpeg, which is not found. Install it, or let the name end in .gif or .png.</source>
        <translation>{out}：MP4 由 ffmpeg 程序生成，但未找到。请安装它，或使名称以 .gif 或 .png 结尾。</translation>
    </message>
    <message>
        <source>No row can be shown. {refused}</source>
        <translation>没有可显示的行。{refused}</translation>
    </message>
    <message>
        <source>row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>ffmpeg made no film: {value}</source>
        <translation>ffmpeg 未生成影片：{value}</translation>
    </message>
    <message>
        <source>Formula, rendered</source>
        <translation>公式（排版）</translation>
    </message>
    <message>
        <source>Find an action</source>
        <translation>查找操作</translation>
    </message>
    <message>
        <source>Action to find</source>
        <translation>要查找的操作</translation>
    </message>
    <message>
        <source>What do you want to do?</source>
        <translation>您想做什么？</translation>
    </message>
    <message>
        <source>No action matches. Try another word, or ask in the chat.</source>
        <translation>没有匹配的操作。请换一个词，或在聊天中提问。</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>All keys</source>
        <translation>全部按键</translation>
    </message>
    <message>
        <source>Guides</source>
        <translation>指南</translation>
    </message>
    <message>
        <source>Search the guides</source>
        <translation>搜索指南</translation>
    </message>
    <message>
        <source>Sections of the guides</source>
        <translation>指南章节</translation>
    </message>
    <message>
        <source>Section</source>
        <translation>章节</translation>
    </message>
    <message>
        <source>Nothing in the guides matches. Try another word, or ask in the chat.</source>
        <translation>指南中没有匹配的内容。请换一个词，或在聊天中提问。</translation>
    </message>
    <message>
        <source>A workbench for two-dimensional ray optics with an agent at the bench.</source>
        <translation>二维光线光学工作台，配有助手。</translation>
    </message>
    <message>
        <source>About Raybench</source>
        <translation>关于 Raybench</translation>
    </message>
    <message>
        <source>Versions and scene</source>
        <translation>版本与场景</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy what is shown, for a report</source>
        <translation>复制所示内容，用于报告</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>欢迎</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Open example</source>
        <translation>打开示例</translation>
    </message>
    <message>
        <source>Draw lenses, mirrors and sources; rays are traced while you drag. Ask in the chat what the light does: the rays that answer light up.</source>
        <translation>绘制透镜、反射镜和光源；拖动时即时追迹光线。在聊天中询问光的去向：回答所涉光线会亮起。</translation>
    </message>
    <message>
        <source>New scene</source>
        <translation>新场景</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>Ask in the chat: {command}
{answer}</source>
        <translation>在聊天中提问：{command}
{answer}</translation>
    </message>
    <message>
        <source>On the command line: {command}
{answer}</source>
        <translation>在命令行：{command}
{answer}</translation>
    </message>
    <message>
        <source>Click a ray or an object to see what its light does. Alt+click picks a ray inside a glass.</source>
        <translation>点击光线或对象，查看其光的情况。Alt+点击选取玻璃内的光线。</translation>
    </message>
    <message>
        <source>Receives</source>
        <translation>接收</translation>
    </message>
    <message>
        <source>Reflects</source>
        <translation>反射</translation>
    </message>
    <message>
        <source>Transmits</source>
        <translation>透射</translation>
    </message>
    <message>
        <source>Absorbs</source>
        <translation>吸收</translation>
    </message>
    <message>
        <source>Emits</source>
        <translation>发射</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功率</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>光源</translation>
    </message>
    <message>
        <source>Wavelength</source>
        <translation>波长</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Made by</source>
        <translation>产生方式</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>到达</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>The path of the ray</source>
        <translation>光线的路径</translation>
    </message>
    <message>
        <source>The balance of the light</source>
        <translation>光的收支</translation>
    </message>
    <message>
        <source>Steps of the path</source>
        <translation>路径的各步</translation>
    </message>
    <message>
        <source>Power at its start</source>
        <translation>其起点的功率</translation>
    </message>
    <message>
        <source>, {count} listed</source>
        <translation>，列出 {count} 个</translation>
    </message>
    <message>
        <source>Ray {title} · {count} segments on its path{more}</source>
        <translation>光线 {title} · 路径上 {count} 段{more}</translation>
    </message>
    <message>
        <source>{way}, depth {depth}</source>
        <translation>{way}，深度 {depth}</translation>
    </message>
    <message>
        <source>Pin “{value}”</source>
        <translation>固定“{value}”</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Relative power</source>
        <translation>相对功率</translation>
    </message>
    <message>
        <source>{degree:.3g} of it </source>
        <translation>其中 {degree:.3g} </translation>
    </message>
    <message>
        <source>Polarization</source>
        <translation>偏振</translation>
    </message>
    <message>
        <source>Edge</source>
        <translation>边</translation>
    </message>
    <message>
        <source>Incidence</source>
        <translation>入射</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Path to its end</source>
        <translation>到其终点的路程</translation>
    </message>
    <message>
        <source>Optical path</source>
        <translation>光程</translation>
    </message>
    <message>
        <source>Scene as JSON</source>
        <translation>JSON 场景</translation>
    </message>
    <message>
        <source>Find in the text</source>
        <translation>在文本中查找</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>上一个</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>{index} of {count}</source>
        <translation>{index} / {count}</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Discard typing</source>
        <translation>放弃输入</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>查找…</translation>
    </message>
    <message>
        <source>The JSON has a fault: {fault} Correct it, or discard the typing.</source>
        <translation>JSON 有错误：{fault} 请改正，或放弃输入。</translation>
    </message>
    <message>
        <source>Working out the scene&apos;s text</source>
        <translation>生成场景文本</translation>
    </message>
    <message>
        <source> The scene changed meanwhile: both are joined once the text is valid.</source>
        <translation> 期间场景已更改：文本有效后二者将合并。</translation>
    </message>
    <message>
        <source>Typing…</source>
        <translation>正在输入…</translation>
    </message>
    <message>
        <source>1 object</source>
        <translation>1 个对象</translation>
    </message>
    <message>
        <source>The selection is locked. Unlock it in its properties to cut it.</source>
        <translation>所选对象已锁定。请在其属性中解锁后剪切。</translation>
    </message>
    <message>
        <source>There are no objects to paste. Copy some first.</source>
        <translation>没有可粘贴的对象。请先复制。</translation>
    </message>
    <message>
        <source>The clipboard holds materials, modules or notes in a form that cannot be read. Copy the objects again.</source>
        <translation>剪贴板中的材料、模块或说明无法读取。请重新复制对象。</translation>
    </message>
    <message>
        <source>{count} objects</source>
        <translation>{count} 个对象</translation>
    </message>
    <message>
        <source>Pasted without a {noun}: {error}</source>
        <translation>粘贴时不含{noun}：{error}</translation>
    </message>
    <message>
        <source>{objects} pasted</source>
        <translation>已粘贴{objects}</translation>
    </message>
    <message>
        <source>1 {copied} was pasted as 1 {here}. Arrange → Scale… by {factor} gives the sizes that were copied.</source>
        <translation>1 {copied} 已按 1 {here} 粘贴。排列 → 缩放… 取 {factor} 可得到复制时的尺寸。</translation>
    </message>
    <message>
        <source>In step with the canvas: {objects}, {lines} lines</source>
        <translation>与画布一致：{objects}，{lines} 行</translation>
    </message>
    <message>
        <source>{title} of {noun} {row}</source>
        <translation>{noun} {row} 的{title}</translation>
    </message>
    <message>
        <source>add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Factor</source>
        <translation>系数</translation>
    </message>
    <message>
        <source>Focal length</source>
        <translation>焦距</translation>
    </message>
    <message>
        <source>Scale lens</source>
        <translation>缩放透镜</translation>
    </message>
    <message>
        <source>All lengths are multiplied.</source>
        <translation>所有长度都乘以该系数。</translation>
    </message>
    <message>
        <source>A scale keeps the sign of the focal length, which is {focal_length:.6g}.</source>
        <translation>缩放保持焦距的符号，现为 {focal_length:.6g}。</translation>
    </message>
    <message>
        <source>Surface that it follows</source>
        <translation>所跟随的面</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>Surface</source>
        <translation>面</translation>
    </message>
    <message>
        <source>Pickup</source>
        <translation>拾取</translation>
    </message>
    <message>
        <source>The lens has no first order.</source>
        <translation>该透镜没有一阶量。</translation>
    </message>
    <message>
        <source>f/{number:.3g}</source>
        <translation>f/{number:.3g}</translation>
    </message>
    <message>
        <source>back focus {length}</source>
        <translation>后截距 {length}</translation>
    </message>
    <message>
        <source>image {length}</source>
        <translation>像 {length}</translation>
    </message>
    <message>
        <source>magnification {magnification:.4g}</source>
        <translation>放大率 {magnification:.4g}</translation>
    </message>
    <message>
        <source>length {length}</source>
        <translation>长度 {length}</translation>
    </message>
    <message>
        <source>least edge {length} behind {behind}</source>
        <translation>最小边缘厚度 {length}（面 {behind} 之后）</translation>
    </message>
    <message>
        <source>pupil {length} at {other}</source>
        <translation>入瞳 {length}，位于 {other}</translation>
    </message>
    <message>
        <source>exit pupil {length} at {other}</source>
        <translation>出瞳 {length}，位于 {other}</translation>
    </message>
    <message>
        <source>{name}: sources {value}</source>
        <translation>{name}：光源{value}</translation>
    </message>
    <message>
        <source>{title} of surface {row}</source>
        <translation>面 {row} 的{title}</translation>
    </message>
    <message>
        <source>Fixed</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>{label} fixed</source>
        <translation>{label} 已固定</translation>
    </message>
    <message>
        <source>Variable of the merit</source>
        <translation>评价函数的变量</translation>
    </message>
    <message>
        <source>{label} variable</source>
        <translation>{label} 设为变量</translation>
    </message>
    <message>
        <source>Pickup…</source>
        <translation>拾取…</translation>
    </message>
    <message>
        <source>Solve for {value}…</source>
        <translation>求解{value}…</translation>
    </message>
    <message>
        <source>{label} picked up</source>
        <translation>{label} 已设拾取</translation>
    </message>
    <message>
        <source>{label} follows that of</source>
        <translation>{label} 跟随该面的同一量</translation>
    </message>
    <message>
        <source>{label} solved</source>
        <translation>{label} 已求解</translation>
    </message>
    <message>
        <source>Distance behind the paraxial focus</source>
        <translation>近轴焦点后的距离</translation>
    </message>
    <message>
        <source>{name}, held by the {what}:</source>
        <translation>{name}，由{what}保持：</translation>
    </message>
    <message>
        <source>Solve</source>
        <translation>求解</translation>
    </message>
    <message>
        <source>No lens yet. The prescription of a lens system is edited here as a table: radii, thicknesses, glasses. Insert &gt; Lenses &gt; Lens system makes one; File &gt; Import lens reads .zmx, .seq and .len.</source>
        <translation>尚无透镜。透镜系统的处方在此以表格编辑：半径、厚度、玻璃。插入 &gt; 透镜 &gt; 透镜系统可创建；文件 &gt; 导入透镜可读取 .zmx、.seq 和 .len。</translation>
    </message>
    <message>
        <source>Lens</source>
        <translation>透镜</translation>
    </message>
    <message>
        <source>Surfaces of the lens</source>
        <translation>透镜的各面</translation>
    </message>
    <message>
        <source>Insert, delete, move, reverse, scale</source>
        <translation>插入、删除、移动、反转、缩放</translation>
    </message>
    <message>
        <source>Edit ▾</source>
        <translation>编辑 ▾</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Aperture, fields and wavelengths</source>
        <translation>孔径、视场和波长</translation>
    </message>
    <message>
        <source>First order</source>
        <translation>一阶量</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>问题所在</translation>
    </message>
    <message>
        <source>System of the lens</source>
        <translation>透镜的系统数据</translation>
    </message>
    <message>
        <source>Insert a lens system</source>
        <translation>插入透镜系统</translation>
    </message>
    <message>
        <source>Import a lens file…</source>
        <translation>导入透镜文件…</translation>
    </message>
    <message>
        <source>{words} And {more} more.</source>
        <translation>{words} 另有 {more} 项。</translation>
    </message>
    <message>
        <source>Use {name}</source>
        <translation>使用 {name}</translation>
    </message>
    <message>
        <source>, with 1 link or variable</source>
        <translation>，连同 1 个关联或变量</translation>
    </message>
    <message>
        <source>, with {count} links or variables</source>
        <translation>，连同 {count} 个关联或变量</translation>
    </message>
    <message>
        <source>Surface {index} inserted</source>
        <translation>已插入面 {index}</translation>
    </message>
    <message>
        <source>{rows} deleted</source>
        <translation>已删除{rows}</translation>
    </message>
    <message>
        <source>{rows} moved</source>
        <translation>已移动{rows}</translation>
    </message>
    <message>
        <source>{rows} reversed</source>
        <translation>已反转{rows}</translation>
    </message>
    <message>
        <source>Surface {first} split</source>
        <translation>面 {first} 已拆开</translation>
    </message>
    <message>
        <source>Mirror at surface {first}</source>
        <translation>面 {first} 处的反射镜</translation>
    </message>
    <message>
        <source>Stop at surface {index}</source>
        <translation>光阑位于面 {index}</translation>
    </message>
    <message>
        <source>Scaled by {factor:.6g}</source>
        <translation>已缩放 {factor:.6g} 倍</translation>
    </message>
    <message>
        <source>Rows pasted</source>
        <translation>已粘贴行</translation>
    </message>
    <message>
        <source>Insert before</source>
        <translation>在前面插入</translation>
    </message>
    <message>
        <source>Insert after</source>
        <translation>在后面插入</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Reverse</source>
        <translation>反转</translation>
    </message>
    <message>
        <source>Split cemented surface</source>
        <translation>拆开胶合面</translation>
    </message>
    <message>
        <source>Stop here</source>
        <translation>光阑在此</translation>
    </message>
    <message>
        <source>Mirror here</source>
        <translation>此处为反射镜</translation>
    </message>
    <message>
        <source>Add aspheric term</source>
        <translation>添加非球面项</translation>
    </message>
    <message>
        <source>Scale lens…</source>
        <translation>缩放透镜…</translation>
    </message>
    <message>
        <source>Curvatures for radii</source>
        <translation>以曲率代替半径</translation>
    </message>
    <message>
        <source>No mirror here</source>
        <translation>此处不是反射镜</translation>
    </message>
    <message>
        <source>Object</source>
        <comment>lens</comment>
        <translation>物</translation>
    </message>
    <message>
        <source>Surface {first}</source>
        <translation>面 {first}</translation>
    </message>
    <message>
        <source>Surfaces {first} to {last}</source>
        <translation>面 {first} 到 {last}</translation>
    </message>
    <message>
        <source>the object</source>
        <translation>物</translation>
    </message>
    <message>
        <source>the image</source>
        <translation>像</translation>
    </message>
    <message>
        <source>surface {row}</source>
        <translation>面 {row}</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>像</translation>
    </message>
    <message>
        <source>{section} Stop</source>
        <translation>{section} 光阑</translation>
    </message>
    <message>
        <source>As much as the light of the fields needs. Type a number to fix it.</source>
        <translation>按视场光的需要。输入数字可固定。</translation>
    </message>
    <message>
        <source>Edge thickness {edge:.4g} {unit}.</source>
        <translation>边缘厚度 {edge:.4g} {unit}。</translation>
    </message>
    <message>
        <source>{title} of {place}</source>
        <translation>{place}的{title}</translation>
    </message>
    <message>
        <source>Mirror</source>
        <translation>反射镜</translation>
    </message>
    <message>
        <source>Pupil diameter</source>
        <translation>入瞳直径</translation>
    </message>
    <message>
        <source>f-number</source>
        <translation>F 数</translation>
    </message>
    <message>
        <source>Object NA</source>
        <translation>物方 NA</translation>
    </message>
    <message>
        <source>Stop size</source>
        <translation>光阑尺寸</translation>
    </message>
    <message>
        <source>Angle</source>
        <translation>角度</translation>
    </message>
    <message>
        <source>Object height</source>
        <translation>物高</translation>
    </message>
    <message>
        <source>Image height</source>
        <translation>像高</translation>
    </message>
    <message>
        <source>Aperture</source>
        <translation>光阑</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>视场</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>视场</translation>
    </message>
    <message>
        <source>The angle or the height</source>
        <translation>角度或高度</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Its weight in the merit</source>
        <translation>其在评价函数中的权重</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>下限</translation>
    </message>
    <message>
        <source>Aperture</source>
        <comment>lens</comment>
        <translation>孔径</translation>
    </message>
    <message>
        <source>Vignetting: the part of the lower pupil that is cut off</source>
        <translation>渐晕：下光瞳被切去的部分</translation>
    </message>
    <message>
        <source>Low</source>
        <comment>bound</comment>
        <translation>下</translation>
    </message>
    <message>
        <source>Vignetting: the part of the upper pupil that is cut off</source>
        <translation>渐晕：上光瞳被切去的部分</translation>
    </message>
    <message>
        <source>Up</source>
        <comment>bound</comment>
        <translation>上</translation>
    </message>
    <message>
        <source>Wavelengths</source>
        <translation>波长</translation>
    </message>
    <message>
        <source>A vacuum wavelength in nm, or a line: {names}</source>
        <translation>以 nm 为单位的真空波长，或谱线：{names}</translation>
    </message>
    <message>
        <source>Its power, and its weight in the merit</source>
        <translation>其功率及在评价函数中的权重</translation>
    </message>
    <message>
        <source>Primary</source>
        <translation>主波长</translation>
    </message>
    <message>
        <source>Sources for the fields</source>
        <translation>视场光源</translation>
    </message>
    <message>
        <source>Put the light of the fields on the bench</source>
        <translation>将视场的光置于工作台</translation>
    </message>
    <message>
        <source>Aperture&apos;s value</source>
        <translation>孔径值</translation>
    </message>
    <message>
        <source>Kind of fields</source>
        <translation>视场类型</translation>
    </message>
    <message>
        <source>The wavelength</source>
        <translation>波长</translation>
    </message>
    <message>
        <source>Parameter</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>It stands on the bench.</source>
        <translation>它位于工作台上。</translation>
    </message>
    <message>
        <source>new parameter</source>
        <translation>新参数</translation>
    </message>
    <message>
        <source>{name} in {title}</source>
        <translation>{title} 的 {name}</translation>
    </message>
    <message>
        <source>Weight in the merit</source>
        <translation>评价函数中的权重</translation>
    </message>
    <message>
        <source>{name} by configuration</source>
        <translation>{name} 随组态变化</translation>
    </message>
    <message>
        <source>{names} of configuration {index}</source>
        <translation>组态 {index} 的{names}</translation>
    </message>
    <message>
        <source>The weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>The value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Write what it should be: 50, at least ≥ 1, at most ≤ 8, or between 1 … 8</source>
        <translation>写出应有的值：50、至少 ≥ 1、至多 ≤ 8，或介于 1 … 8</translation>
    </message>
    <message>
        <source>operand</source>
        <translation>操作数</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>量</translation>
    </message>
    <message>
        <source>What is wanted of the lens</source>
        <translation>对透镜的要求</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>面/视场</translation>
    </message>
    <message>
        <source>The number of the surface or field; all if empty</source>
        <translation>面或视场编号；留空为全部</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>In</source>
        <translation>组态</translation>
    </message>
    <message>
        <source>The number of the configuration; all if empty</source>
        <translation>组态编号；留空为全部</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>限值</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>How much it counts; with 0 it is computed only</source>
        <translation>权重大小；为 0 时仅计算</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>空间频率</translation>
    </message>
    <message>
        <source>The frequency of the modulation, in lines per unit of length</source>
        <translation>调制的频率，每单位长度线数</translation>
    </message>
    <message>
        <source>The frequency</source>
        <translation>频率</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>What it is: from … to if it is many numbers, of rays the root of the mean square</source>
        <translation>当前值：多个数值时为 从 … 到，光线则为均方根</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>The unit of the target and of what it is</source>
        <translation>目标值与当前值的单位</translation>
    </message>
    <message>
        <source>Its share of the squared merit</source>
        <translation>其在评价值平方中的份额</translation>
    </message>
    <message>
        <source>The target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>{words}: the lower bound is above the upper one.</source>
        <translation>{words}：下限高于上限。</translation>
    </message>
    <message>
        <source>{words} is no limit. Write at most ≤ 8, at least ≥ 1, or 1 … 8.</source>
        <translation>{words} 不是限值。请写至多 ≤ 8、至少 ≥ 1，或 1 … 8。</translation>
    </message>
    <message>
        <source>{noun} of {of}</source>
        <translation>{of} 的{noun}</translation>
    </message>
    <message>
        <source>{words} is no number of a surface, field or configuration, such as 2.</source>
        <translation>{words} 不是面、视场或组态的编号，例如 2。</translation>
    </message>
    <message>
        <source>no light</source>
        <translation>无光</translation>
    </message>
    <message>
        <source>rms {value:.4g}</source>
        <translation>rms {value:.4g}</translation>
    </message>
    <message>
        <source>{lost} of {count} have no light.</source>
        <translation>{count} 条中有 {lost} 条无光。</translation>
    </message>
    <message>
        <source>No lens yet. What a lens should become, and what may change, is written here and searched for. Insert &gt; Lenses &gt; Lens system makes one; File &gt; Import lens reads .zmx, .seq and .len.</source>
        <translation>尚无透镜。透镜应达到的要求和可变项在此填写并搜索。插入 &gt; 透镜 &gt; 透镜系统可创建；文件 &gt; 导入透镜可读取 .zmx、.seq 和 .len。</translation>
    </message>
    <message>
        <source>No operands yet. Choose a usual merit, or add rows: double click “add”.</source>
        <translation>尚无操作数。选择常用评价函数，或添加行：双击“添加”。</translation>
    </message>
    <message>
        <source>Nothing varies yet. Add curvatures, distances or glasses, or double click “add”.</source>
        <translation>尚无变化项。添加曲率、间距或玻璃，或双击“添加”。</translation>
    </message>
    <message>
        <source>One state. Add a configuration for a zoom or another focusing distance: what differs is then a row, each state a column.</source>
        <translation>一个状态。为变焦或其他对焦距离添加组态：不同之处各为一行，每个状态一列。</translation>
    </message>
    <message>
        <source>Spot + focal length</source>
        <translation>光斑 + 焦距</translation>
    </message>
    <message>
        <source>Wavefront + focal length</source>
        <translation>波前 + 焦距</translation>
    </message>
    <message>
        <source>All curvatures</source>
        <translation>全部曲率</translation>
    </message>
    <message>
        <source>All distances</source>
        <translation>全部间距</translation>
    </message>
    <message>
        <source>Glasses</source>
        <translation>玻璃</translation>
    </message>
    <message>
        <source>The lens was edited meanwhile: the search has ended without a change.</source>
        <translation>期间透镜被编辑：搜索已结束，未作更改。</translation>
    </message>
    <message>
        <source>The merit</source>
        <translation>评价值</translation>
    </message>
    <message>
        <source>Operands of the merit</source>
        <translation>评价函数的操作数</translation>
    </message>
    <message>
        <source>Configurations of the lens</source>
        <translation>透镜的组态</translation>
    </message>
    <message>
        <source>End with the best so far</source>
        <translation>以目前最佳结果结束</translation>
    </message>
    <message>
        <source>Merit</source>
        <translation>评价</translation>
    </message>
    <message>
        <source>Usual merit</source>
        <translation>常用评价函数</translation>
    </message>
    <message>
        <source>Rays or wavefront of all fields, the focal length, and bounds of thicknesses</source>
        <translation>所有视场的光线或波前、焦距和厚度界限</translation>
    </message>
    <message>
        <source>Parts of the merit</source>
        <translation>评价函数的组成</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>创建副本</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Show on the bench</source>
        <translation>置于工作台</translation>
    </message>
    <message>
        <source>Vary</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Delete row</source>
        <translation>删除行</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Operands</source>
        <translation>操作数</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Configurations</source>
        <translation>组态</translation>
    </message>
    <message>
        <source>Tolerances</source>
        <translation>公差</translation>
    </message>
    <message>
        <source>Variables of the merit</source>
        <translation>评价函数的变量</translation>
    </message>
    <message>
        <source>Usual merit, {name}</source>
        <translation>常用评价函数，{name}</translation>
    </message>
    <message>
        <source>{title} vary</source>
        <translation>{title} 设为变量</translation>
    </message>
    <message>
        <source>Nothing varies</source>
        <translation>无变化项</translation>
    </message>
    <message>
        <source>Choose a configuration: click a cell of its column.</source>
        <translation>选择一个组态：点击其所在列的单元格。</translation>
    </message>
    <message>
        <source>Configuration added</source>
        <translation>已添加组态</translation>
    </message>
    <message>
        <source>Configuration {index} deleted</source>
        <translation>已删除组态 {index}</translation>
    </message>
    <message>
        <source>Configuration {index} named {name}</source>
        <translation>组态 {index} 命名为 {name}</translation>
    </message>
    <message>
        <source>Name of configuration {index}</source>
        <translation>组态 {index} 的名称</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Configuration {index} on the bench</source>
        <translation>组态 {index} 置于工作台</translation>
    </message>
    <message>
        <source>{name} the same in all</source>
        <translation>{name} 在所有组态中相同</translation>
    </message>
    <message>
        <source>Choose the value that varies: click its cell.</source>
        <translation>选择要变化的值：点击其单元格。</translation>
    </message>
    <message>
        <source>{name} variable</source>
        <translation>{name} 设为变量</translation>
    </message>
    <message>
        <source>searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>The search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Change the operands or variables.</source>
        <translation>请更改操作数或变量。</translation>
    </message>
    <message>
        <source>sampling…</source>
        <translation>正在抽样…</translation>
    </message>
    <message>
        <source>The study</source>
        <translation>研究</translation>
    </message>
    <message>
        <source>Change what deviates.</source>
        <translation>请更改偏差项。</translation>
    </message>
    <message>
        <source>{done} of {total} lenses, {left:.0f} s left</source>
        <translation>{total} 个透镜中的 {done} 个，还需 {left:.0f} s</translation>
    </message>
    <message>
        <source>{done} lenses in {seconds:.1f} s</source>
        <translation>{seconds:.1f} s 内 {done} 个透镜</translation>
    </message>
    <message>
        <source>{words} in {seconds:.1f} s</source>
        <translation>{words}，用时 {seconds:.1f} s</translation>
    </message>
    <message>
        <source>merit {first:.5g}; no better lens in {evaluations} evaluations</source>
        <translation>评价值 {first:.5g}；{evaluations} 次求值中没有更好的透镜</translation>
    </message>
    <message>
        <source>{lens}: {name}, merit {first:.4g} → {merit:.4g}</source>
        <translation>{lens}：{name}，评价值 {first:.4g} → {merit:.4g}</translation>
    </message>
    <message>
        <source>merit {first_merit:.5g} → {merit:.5g}, {evaluations} evaluations</source>
        <translation>评价值 {first_merit:.5g} → {merit:.5g}，{evaluations} 次求值</translation>
    </message>
    <message>
        <source>merit {merit:.5g}</source>
        <translation>评价值 {merit:.5g}</translation>
    </message>
    <message>
        <source>Optimise</source>
        <translation>优化</translation>
    </message>
    <message>
        <source>Go downhill from this lens, by damped least squares</source>
        <translation>从此透镜出发，以阻尼最小二乘法下降</translation>
    </message>
    <message>
        <source>Search widely</source>
        <translation>广域搜索</translation>
    </message>
    <message>
        <source>Disturb the best lens within the bounds, again and again, and improve it</source>
        <translation>在界限内反复扰动最佳透镜并改进</translation>
    </message>
    <message>
        <source>Choose glasses</source>
        <translation>选择玻璃</translation>
    </message>
    <message>
        <source>Replace the glasses that vary by neighbours, and improve</source>
        <translation>以相邻玻璃替换可变玻璃并改进</translation>
    </message>
    <message>
        <source>Merit of the search</source>
        <translation>搜索的评价值</translation>
    </message>
    <message>
        <source>evaluations</source>
        <translation>求值次数</translation>
    </message>
    <message>
        <source>Choose Commercial or Precision, or write what deviates, and press Run. Limits give a yield; compensators, such as the last distance, are adjusted in each sample.</source>
        <translation>选择商用级或精密级，或写出偏差项，然后按运行。限值给出良率；补偿量（例如最后一个间距）在每个样本中调整。</translation>
    </message>
    <message>
        <source> The lens has changed since.</source>
        <translation> 此后透镜已更改。</translation>
    </message>
    <message>
        <source>Commercial</source>
        <translation>商用级</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精密级</translation>
    </message>
    <message>
        <source>Compensators</source>
        <translation>补偿量</translation>
    </message>
    <message>
        <source>What is adjusted in each sample for the smallest merit, such as t6</source>
        <translation>每个样本中为使评价值最小而调整的量，例如 t6</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本数</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Run the tolerances</source>
        <translation>运行公差分析</translation>
    </message>
    <message>
        <source>Export ▾</source>
        <translation>导出 ▾</translation>
    </message>
    <message>
        <source>Export the tolerances</source>
        <translation>导出公差</translation>
    </message>
    <message>
        <source>Quantity that is plotted</source>
        <translation>所绘的量</translation>
    </message>
    <message>
        <source>Distribution of the samples</source>
        <translation>样本分布</translation>
    </message>
    <message>
        <source>Sensitivities</source>
        <translation>灵敏度</translation>
    </message>
    <message>
        <source>Yields</source>
        <translation>良率</translation>
    </message>
    <message>
        <source>Usual deviations: radii ± {number:g} %, distances ± {distance:g} mm, indices ± {index:g}</source>
        <translation>常用偏差：半径 ± {number:g} %，间距 ± {distance:g} mm，折射率 ± {index:g}</translation>
    </message>
    <message>
        <source>The deviation</source>
        <translation>偏差</translation>
    </message>
    <message>
        <source>The deviation is an amount to both sides. Write it without sign.</source>
        <translation>偏差是向两侧的量。请不带符号书写。</translation>
    </message>
    <message>
        <source>Deviates</source>
        <translation>偏差项</translation>
    </message>
    <message>
        <source>A parameter: r1 is the radius of surface 1, t1 the distance behind it, n1 the index behind it</source>
        <translation>参数：r1 是面 1 的半径，t1 是其后的间距，n1 是其后的折射率</translation>
    </message>
    <message>
        <source>By how much, to both sides</source>
        <translation>向两侧的偏差量</translation>
    </message>
    <message>
        <source>Its unit</source>
        <translation>其单位</translation>
    </message>
    <message>
        <source>What it is</source>
        <translation>它是什么</translation>
    </message>
    <message>
        <source>deviation</source>
        <translation>偏差</translation>
    </message>
    <message>
        <source>Deviations</source>
        <translation>偏差</translation>
    </message>
    <message>
        <source>Sensitivities…</source>
        <translation>灵敏度…</translation>
    </message>
    <message>
        <source>Samples…</source>
        <translation>样本…</translation>
    </message>
    <message>
        <source>Export {what}</source>
        <translation>导出 {what}</translation>
    </message>
    <message>
        <source>Table as CSV (*.csv)</source>
        <translation>表格 CSV (*.csv)</translation>
    </message>
    <message>
        <source>merit {nominal:.3g}</source>
        <translation>评价值 {nominal:.3g}</translation>
    </message>
    <message>
        <source>, half of {count} samples below {half:.3g}, 90 % below {most:.3g}</source>
        <translation>，{count} 个样本的一半低于 {half:.3g}，90 % 低于 {most:.3g}</translation>
    </message>
    <message>
        <source>, {lost} without light</source>
        <translation>，{lost} 个无光</translation>
    </message>
    <message>
        <source>{words}. Limits give a yield.</source>
        <translation>{words}。设限值可得良率。</translation>
    </message>
    <message>
        <source>{words}. Yield {number:.3g} % ({low:.3g} to {high:.3g} %): {shares}.</source>
        <translation>{words}。良率 {number:.3g} %（{low:.3g} 到 {high:.3g} %）：{shares}。</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>A parameter: c1 is the curvature of surface 1, t1 the distance behind it</source>
        <translation>参数：c1 是面 1 的曲率，t1 是其后的间距</translation>
    </message>
    <message>
        <source>The lower bound; none if empty</source>
        <translation>下限；留空则无</translation>
    </message>
    <message>
        <source>What it is now</source>
        <translation>当前值</translation>
    </message>
    <message>
        <source>High</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>The upper bound; none if empty</source>
        <translation>上限；留空则无</translation>
    </message>
    <message>
        <source>variable</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Variables of the lens</source>
        <translation>透镜的变量</translation>
    </message>
    <message>
        <source>{name} varies already.</source>
        <translation>{name} 已是变量。</translation>
    </message>
    <message>
        <source>The bound</source>
        <translation>界限</translation>
    </message>
    <message>
        <source>{label}, radius {radius:.5g}</source>
        <translation>{label}，半径 {radius:.5g}</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>In place of the value. {} is the value, {power(Screen)} a measure, \n begins a line.</source>
        <translation>代替数值。{} 为数值，{power(Screen)} 为测量项，\n 换行。</translation>
    </message>
    <message>
        <source>What is measured: the distance of the points, or one component of it.</source>
        <translation>测量内容：两点的距离，或其某一分量。</translation>
    </message>
    <message>
        <source>Decimals</source>
        <translation>小数位数</translation>
    </message>
    <message>
        <source>Digits after the decimal point.</source>
        <translation>小数点后的位数。</translation>
    </message>
    <message>
        <source>The distance of the dimension line from the middle of the two points.</source>
        <translation>尺寸线与两点中点的距离。</translation>
    </message>
    <message>
        <source>Properties of the measurements</source>
        <translation>测量的属性</translation>
    </message>
    <message>
        <source>{count} measurements: a change applies to all of them.</source>
        <translation>{count} 个测量：更改应用于全部。</translation>
    </message>
    <message>
        <source>the value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>as needed</source>
        <translation>按需要</translation>
    </message>
    <message>
        <source>There is another measurement {name}.</source>
        <translation>已有另一个测量 {name}。</translation>
    </message>
    <message>
        <source>No name.</source>
        <translation>没有名称。</translation>
    </message>
    <message>
        <source>takes the last point back</source>
        <translation>撤回最后一点</translation>
    </message>
    <message>
        <source>leaves the tool</source>
        <translation>退出工具</translation>
    </message>
    <message>
        <source>Tab takes another ray. </source>
        <translation>Tab 选取另一条光线。 </translation>
    </message>
    <message>
        <source>{title}: click {next_click}. {more}Esc {back}.</source>
        <translation>{title}：点击{next_click}。{more}Esc {back}。</translation>
    </message>
    <message>
        <source>There is no surface here. Click {clicks}.</source>
        <translation>此处没有表面。请点击{clicks}。</translation>
    </message>
    <message>
        <source>There is no ray here. Click {clicks}.</source>
        <translation>此处没有光线。请点击{clicks}。</translation>
    </message>
    <message>
        <source>as pinned</source>
        <translation>固定时的值</translation>
    </message>
    <message>
        <source>{change} from {before}, when it was pinned</source>
        <translation>与固定时的 {before} 相差 {change}</translation>
    </message>
    <message>
        <source>Measurements</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Angle of incidence</source>
        <translation>入射角</translation>
    </message>
    <message>
        <source>Plot of the coating</source>
        <translation>镀膜曲线图</translation>
    </message>
    <message>
        <source>The plot of the coating</source>
        <translation>镀膜曲线图</translation>
    </message>
    <message>
        <source>As it was opened</source>
        <translation>打开时的状态</translation>
    </message>
    <message>
        <source>Every change is listed here. Click one to go back to it, and a later one to go forward again.</source>
        <translation>此处列出每次更改。点击可回到该步，点击较后的一步可再前进。</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>The search for problems of the scene</source>
        <translation>查找场景的问题</translation>
    </message>
    <message>
        <source>Save this view</source>
        <translation>保存此视图</translation>
    </message>
    <message>
        <source>Name of the view</source>
        <translation>视图名称</translation>
    </message>
    <message>
        <source>A view needs a name.</source>
        <translation>视图需要名称。</translation>
    </message>
    <message>
        <source>Save this view…</source>
        <translation>保存此视图…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>several</source>
        <translation>多个值</translation>
    </message>
    <message>
        <source>Select one object to link its numbers.</source>
        <translation>选择一个对象以关联其数值。</translation>
    </message>
    <message>
        <source>Lenses ({names})</source>
        <translation>透镜 ({names})</translation>
    </message>
    <message>
        <source>Glass catalogues (*.agf)</source>
        <translation>玻璃目录 (*.agf)</translation>
    </message>
    <message>
        <source>Use a catalogue file (.agf)…</source>
        <translation>使用目录文件 (.agf)…</translation>
    </message>
    <message>
        <source>Glasses of {name}</source>
        <translation>{name} 的玻璃</translation>
    </message>
    <message>
        <source>The catalogue does not have these glasses. Choose what stands for each:</source>
        <translation>目录中没有这些玻璃。请为每一种选择替代：</translation>
    </message>
    <message>
        <source>Glass for {name}</source>
        <translation>{name} 的玻璃</translation>
    </message>
    <message>
        <source>a name, or as 1.6204/60.3</source>
        <translation>名称，或如 1.6204/60.3</translation>
    </message>
    <message>
        <source>{name} has none of these glasses.</source>
        <translation>{name} 没有这些玻璃。</translation>
    </message>
    <message>
        <source>choose a glass.</source>
        <translation>请选择玻璃。</translation>
    </message>
    <message>
        <source>Use a glass catalogue</source>
        <translation>使用玻璃目录</translation>
    </message>
    <message>
        <source>Import a lens</source>
        <translation>导入透镜</translation>
    </message>
    <message>
        <source>{name} was imported</source>
        <translation>已导入 {name}</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>元件</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>import modules</source>
        <translation>导入模块</translation>
    </message>
    <message>
        <source>Take modules from another scene</source>
        <translation>从其他场景取用模块</translation>
    </message>
    <message>
        <source>module {name}</source>
        <translation>模块 {name}</translation>
    </message>
    <message>
        <source>Module {name}</source>
        <translation>模块 {name}</translation>
    </message>
    <message>
        <source>Module {name} cannot be used: {trouble}</source>
        <translation>模块 {name} 无法使用：{trouble}</translation>
    </message>
    <message>
        <source>Draw: {noun}. The arrow beside it has more.</source>
        <translation>绘制：{noun}。旁边的箭头有更多选项。</translation>
    </message>
    <message>
        <source>{family}: draw {noun}</source>
        <translation>{family}：绘制{noun}</translation>
    </message>
    <message>
        <source>Find a part</source>
        <translation>查找元件</translation>
    </message>
    <message>
        <source>Find a part: lens, prism, detector …</source>
        <translation>查找元件：透镜、棱镜、探测器 …</translation>
    </message>
    <message>
        <source>No part matches. Try another word, such as lens or mirror.</source>
        <translation>没有匹配的元件。请换一个词，例如透镜或反射镜。</translation>
    </message>
    <message>
        <source>Glass map</source>
        <translation>玻璃图</translation>
    </message>
    <message>
        <source>Abbe number V</source>
        <translation>阿贝数 V</translation>
    </message>
    <message>
        <source>n at {wavelength} nm</source>
        <translation>{wavelength} nm 处的 n</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Material</source>
        <translation>材料</translation>
    </message>
    <message>
        <source>Search materials</source>
        <translation>搜索材料</translation>
    </message>
    <message>
        <source>A name, or n and V: 1.62 36</source>
        <translation>名称，或 n 与 V：1.62 36</translation>
    </message>
    <message>
        <source>No material matches. Try another name, or n and V.</source>
        <translation>没有匹配的材料。请换一个名称，或用 n 与 V。</translation>
    </message>
    <message>
        <source>Materials</source>
        <translation>材料</translation>
    </message>
    <message>
        <source>Assign</source>
        <translation>指定</translation>
    </message>
    <message>
        <source>No material</source>
        <translation>无材料</translation>
    </message>
    <message>
        <source>Return to the refractive index and Cauchy&apos;s B of the form.</source>
        <translation>恢复表单中的折射率和柯西 B。</translation>
    </message>
    <message>
        <source>Nearest</source>
        <translation>最接近</translation>
    </message>
    <message>
        <source>Select the glass nearest to the object&apos;s present index and dispersion.</source>
        <translation>选择与对象当前折射率和色散最接近的玻璃。</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新载入</translation>
    </message>
    <message>
        <source>Show the version on disk. Undo brings back what is shown now.</source>
        <translation>显示磁盘上的版本。撤销可恢复现在所示。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Problems of the scene</source>
        <translation>场景的问题</translation>
    </message>
    <message>
        <source>{names} was edited by hand: its data no longer apply, and its objects are free.</source>
        <translation>{names} 已被手动编辑：其数据不再适用，对象已独立。</translation>
    </message>
    <message>
        <source>First start: slow for about a minute. {words}</source>
        <translation>首次启动：约一分钟较慢。{words}</translation>
    </message>
    <message>
        <source>{name} was moved or deleted on disk. Save writes it again.</source>
        <translation>{name} 在磁盘上被移动或删除。保存会重新写入。</translation>
    </message>
    <message>
        <source>{name} was changed on disk outside this window.</source>
        <translation>{name} 已在本窗口之外被更改。</translation>
    </message>
    <message>
        <source>{count} problems. </source>
        <translation>{count} 个问题。 </translation>
    </message>
    <message>
        <source>Apply this remedy. Undo takes it back.</source>
        <translation>采用此补救办法。可撤销。</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>The picture, the plot and the powers at detectors are means of draws: traces whose rays lie between those of the others and meet other chances. The error is the largest of theirs.</source>
        <translation>图像、图表和探测器上的功率是多次抽样的平均：各次追迹的光线位于其他各次之间，随机量也不同。误差取其中最大者。</translation>
    </message>
    <message>
        <source>Click to leave it as it is.</source>
        <translation>单击则保持现状。</translation>
    </message>
    <message>
        <source>programs may connect</source>
        <translation>程序可以连接</translation>
    </message>
    <message>
        <source>{x}, {y} {unit}</source>
        <translation>{x}, {y} {unit}</translation>
    </message>
    <message>
        <source>letting programs connect…</source>
        <translation>正在允许程序连接…</translation>
    </message>
    <message>
        <source>Other programs may use this window&apos;s tools at {url}. Click to end it.</source>
        <translation>其他程序可通过 {url} 使用本窗口的工具。点击结束。</translation>
    </message>
    <message>
        <source>{painted} of {total}</source>
        <translation>{total} 中的 {painted}</translation>
    </message>
    <message>
        <source>showing {counts} segments</source>
        <translation>显示 {counts} 段</translation>
    </message>
    <message>
        <source>{count} segments</source>
        <translation>{count} 段</translation>
    </message>
    <message>
        <source>Number of traced ray segments.</source>
        <translation>已追迹的光线段数。</translation>
    </message>
    <message>
        <source>{spent:.1f} ms</source>
        <translation>{spent:.1f} ms</translation>
    </message>
    <message>
        <source>too weak to follow</source>
        <translation>太弱，未继续追迹</translation>
    </message>
    <message>
        <source>beyond the largest depth</source>
        <translation>超过最大深度</translation>
    </message>
    <message>
        <source>{share:.3g} % {why}</source>
        <translation>{share:.3g} % {why}</translation>
    </message>
    <message>
        <source>refining: {words}</source>
        <translation>正在细化：{words}</translation>
    </message>
    <message>
        <source>refined: {words}</source>
        <translation>已细化：{words}</translation>
    </message>
    <message>
        <source> {count} segments</source>
        <translation> {count} 段</translation>
    </message>
    <message>
        <source>tracing{count}, click to stop</source>
        <translation>正在追迹{count}，点击停止</translation>
    </message>
    <message>
        <source>preview: a part of the rays</source>
        <translation>预览：部分光线</translation>
    </message>
    <message>
        <source>not traced</source>
        <translation>未追迹</translation>
    </message>
    <message>
        <source>reduced while dragging</source>
        <translation>拖动时已简化</translation>
    </message>
    <message>
        <source>stale</source>
        <translation>已过时</translation>
    </message>
    <message>
        <source>partial: {words}</source>
        <translation>不完整：{words}</translation>
    </message>
    <message>
        <source>Make module</source>
        <translation>创建模块</translation>
    </message>
    <message>
        <source>Name of the module</source>
        <translation>模块名称</translation>
    </message>
    <message>
        <source>The scene defines none</source>
        <translation>场景没有定义模块</translation>
    </message>
    <message>
        <source>Parts of the module</source>
        <translation>模块的部件</translation>
    </message>
    <message>
        <source>Keep the one here</source>
        <translation>保留此处的</translation>
    </message>
    <message>
        <source>Replace the one here</source>
        <translation>替换此处的</translation>
    </message>
    <message>
        <source>Glass: each closed outline a body</source>
        <translation>玻璃：每个闭合轮廓为一个物体</translation>
    </message>
    <message>
        <source>Mirrors: each line, arc and curve</source>
        <translation>反射镜：每条线、弧和曲线</translation>
    </message>
    <message>
        <source>Blockers: each line</source>
        <translation>挡光板：每条线</translation>
    </message>
    <message>
        <source>Glass and mirrors: closed, open lines</source>
        <translation>玻璃和反射镜：闭合线、开放线</translation>
    </message>
    <message>
        <source>A drawing without effect on light</source>
        <translation>对光无影响的图形</translation>
    </message>
    <message>
        <source>Drawings (*.svg *.dxf)</source>
        <translation>图纸 (*.svg *.dxf)</translation>
    </message>
    <message>
        <source>Import {name}</source>
        <translation>导入 {name}</translation>
    </message>
    <message>
        <source>The import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Import as</source>
        <translation>导入为</translation>
    </message>
    <message>
        <source>At the drawing&apos;s coordinates</source>
        <translation>按图纸坐标</translation>
    </message>
    <message>
        <source>In the middle of the view</source>
        <translation>在视图中央</translation>
    </message>
    <message>
        <source>Factor to the size of the drawing, which its unit gives; 25.4 for inches written as millimetres.</source>
        <translation>相对于图纸按其单位所定尺寸的系数；以毫米书写的英寸取 25.4。</translation>
    </message>
    <message>
        <source>Largest distance of straight pieces from the curves that they replace.</source>
        <translation>直线段与其所替代曲线的最大距离。</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Layer {name}</source>
        <translation>图层 {name}</translation>
    </message>
    <message>
        <source>As above</source>
        <translation>同上</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>略去</translation>
    </message>
    <message>
        <source>No layer</source>
        <translation>无图层</translation>
    </message>
    <message>
        <source>Import a drawing</source>
        <translation>导入图纸</translation>
    </message>
    <message>
        <source>{count} imported from {name}</source>
        <translation>从 {name} 导入{count}</translation>
    </message>
    <message>
        <source>Scenes (*.json *.raybench)</source>
        <translation>场景 (*.json *.raybench)</translation>
    </message>
    <message>
        <source>Import modules from {name}</source>
        <translation>从 {name} 导入模块</translation>
    </message>
    <message>
        <source>{count} parameters, {points} points</source>
        <translation>{count} 个参数，{points} 个点</translation>
    </message>
    <message>
        <source>{name} is taken</source>
        <translation>{name} 已被占用</translation>
    </message>
    <message>
        <source>New name of {name}</source>
        <translation>{name} 的新名称</translation>
    </message>
    <message>
        <source>is here already</source>
        <translation>此处已有</translation>
    </message>
    <message>
        <source>cannot be used: {trouble}</source>
        <translation>无法使用：{trouble}</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>A name is missing.</source>
        <translation>缺少名称。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is taken: give {other} another name.</source>
        <translation>“{name}”已被占用：请为 {other} 另取名称。</translation>
    </message>
    <message>
        <source>The library shows what is imported.</source>
        <translation>元件库显示已导入的内容。</translation>
    </message>
    <message>
        <source>They use {names}, which come with them. {words}</source>
        <translation>它们使用 {names}，一并导入。{words}</translation>
    </message>
    <message>
        <source>Import modules</source>
        <translation>导入模块</translation>
    </message>
    <message>
        <source>{name}: the scene defines no modules.</source>
        <translation>{name}：场景没有定义模块。</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Modules</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>{title} {names} imported from {name}</source>
        <translation>从 {name} 导入{title} {names}</translation>
    </message>
    <message>
        <source>above {value}</source>
        <translation>大于 {value}</translation>
    </message>
    <message>
        <source>between {value} and {high}</source>
        <translation>介于 {value} 与 {high} 之间</translation>
    </message>
    <message>
        <source>at least {value}</source>
        <translation>至少 {value}</translation>
    </message>
    <message>
        <source>at most {value}</source>
        <translation>至多 {value}</translation>
    </message>
    <message>
        <source>must be {limits}; {value} is not</source>
        <translation>必须{limits}；{value} 不符合</translation>
    </message>
    <message>
        <source>It follows = {expression}
Type = alone to unlink it.</source>
        <translation>它跟随 = {expression}
只输入 = 可解除关联。</translation>
    </message>
    <message>
        <source>{name} {refusal}.</source>
        <translation>{name} {refusal}。</translation>
    </message>
    <message>
        <source>To the right.</source>
        <translation>向右。</translation>
    </message>
    <message>
        <source>Downwards.</source>
        <translation>向下。</translation>
    </message>
    <message>
        <source>Counter-clockwise as seen.</source>
        <translation>从观察者看逆时针。</translation>
    </message>
    <message>
        <source>Data of the {noun}</source>
        <translation>{noun}的数据</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Click on the canvas, or type where the middle goes; Enter adds it.</source>
        <translation>在画布上点击，或输入中心位置；Enter 添加。</translation>
    </message>
    <message>
        <source>Add at this place</source>
        <translation>添加到此处</translation>
    </message>
    <message>
        <source>Click an object to see and change its properties.</source>
        <translation>点击对象以查看并更改其属性。</translation>
    </message>
    <message>
        <source>The file contains only the name of a text in the web application&apos;s gallery, not the text itself. Type the text to show.</source>
        <translation>文件只含网页程序图库中某段文字的名称，而非文字本身。请输入要显示的文字。</translation>
    </message>
    <message>
        <source>simulate colours</source>
        <translation>模拟颜色</translation>
    </message>
    <message>
        <source>Properties of the selection</source>
        <translation>所选对象的属性</translation>
    </message>
    <message>
        <source>“{name}” was not taken over. {refusal}</source>
        <translation>未采用“{name}”。{refusal}</translation>
    </message>
    <message>
        <source>Apply to all {count} of this kind</source>
        <translation>应用于此类全部 {count} 个对象</translation>
    </message>
    <message>
        <source>What is changed here is given to all objects of this kind, except names and places.</source>
        <translation>此处的更改应用于此类全部对象，名称和位置除外。</translation>
    </message>
    <message>
        <source>{title}{count} objects: a change applies to all of them.</source>
        <translation>{title}{count} 个对象：更改应用于全部。</translation>
    </message>
    <message>
        <source>{kind}: {reason} It is kept unchanged in the file.</source>
        <translation>{kind}：{reason} 在文件中保持不变。</translation>
    </message>
    <message>
        <source>The data that it is made from. An edit of its shape by hand ends them.</source>
        <translation>构成它的数据。手动更改其形状会使数据失效。</translation>
    </message>
    <message>
        <source>Centre of the whole</source>
        <translation>整体中心</translation>
    </message>
    <message>
        <source>Another value moves the selection as a whole.</source>
        <translation>改变数值会整体移动所选对象。</translation>
    </message>
    <message>
        <source>Instance of the module &apos;{module}&apos;</source>
        <translation>模块“{module}”的实例</translation>
    </message>
    <message>
        <source>Edit its definition</source>
        <translation>编辑其定义</translation>
    </message>
    <message>
        <source>Show the definition of the module in the scene&apos;s JSON.</source>
        <translation>在场景的 JSON 中显示模块定义。</translation>
    </message>
    <message>
        <source>No effect: simulate colours</source>
        <translation>无效果：模拟颜色</translation>
    </message>
    <message>
        <source>Only where the scene simulates colours, a setting, do wavelengths differ.</source>
        <translation>只有在场景设置为模拟颜色时，波长才有区别。</translation>
    </message>
    <message>
        <source>{what} renamed to {name}</source>
        <translation>{what}重命名为 {name}</translation>
    </message>
    <message>
        <source>{name} of {targets} set to {to}</source>
        <translation>{targets} 的{name}设为 {to}</translation>
    </message>
    <message>
        <source>A material of the catalogue, exact at every wavelength.</source>
        <translation>目录中的材料，各波长均精确。</translation>
    </message>
    <message>
        <source>several…</source>
        <translation>多个值…</translation>
    </message>
    <message>
        <source>none…</source>
        <translation>无…</translation>
    </message>
    <message>
        <source>∞ at {angle:.1f}°</source>
        <translation>∞，{angle:.1f}°</translation>
    </message>
    <message>
        <source>{x}, {y}</source>
        <translation>{x}, {y}</translation>
    </message>
    <message>
        <source>power {power}</source>
        <translation>功率 {power}</translation>
    </message>
    <message>
        <source>rel.</source>
        <translation>相对</translation>
    </message>
    <message>
        <source>No rays yet. A scene with a source fills this table.</source>
        <translation>尚无光线。含光源的场景会填充此表。</translation>
    </message>
    <message>
        <source>No ray matches the filter and the highlight. “Show all rays” removes both.</source>
        <translation>没有光线符合筛选和突出显示。“显示全部光线”可清除两者。</translation>
    </message>
    <message>
        <source>No ray matches what is typed above. Type names, words of the table, or a condition such as power &gt; 0.1.</source>
        <translation>没有光线符合上方的输入。请输入名称、表中的词或条件，例如 power &gt; 0.1。</translation>
    </message>
    <message>
        <source>Rays</source>
        <translation>光线</translation>
    </message>
    <message>
        <source>Show all rays</source>
        <translation>显示全部光线</translation>
    </message>
    <message>
        <source>Whole paths</source>
        <translation>完整路径</translation>
    </message>
    <message>
        <source>Light with the selected rays all before them and all that came of them</source>
        <translation>同时突出显示所选光线之前及由其产生的全部光线</translation>
    </message>
    <message>
        <source>Write the rays of the table to a file</source>
        <translation>将表中的光线写入文件</translation>
    </message>
    <message>
        <source>Choosing the rows of the ray table</source>
        <translation>选取光线表的行</translation>
    </message>
    <message>
        <source>Filter of the table</source>
        <translation>表格筛选</translation>
    </message>
    <message>
        <source>power &gt; 0.1, Screen, reflect</source>
        <translation>power &gt; 0.1, Screen, reflect</translation>
    </message>
    <message>
        <source>Conditions that must all hold: names, interactions, ends, the rays of an answer such as R1, or one of {names}.</source>
        <translation>须同时满足的条件：名称、相互作用、终点、答案的光线如 R1，或 {names} 之一。</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>, of an earlier state of the scene: ask again</source>
        <translation>，属于场景的较早状态：请重新提问</translation>
    </message>
    <message>
        <source>Shown: {shown} ({rays})</source>
        <translation>显示：{shown}（{rays}）</translation>
    </message>
    <message>
        <source>Export rays</source>
        <translation>导出光线</translation>
    </message>
    <message>
        <source>Rays as CSV (*.csv)</source>
        <translation>光线 CSV (*.csv)</translation>
    </message>
    <message>
        <source>rays of the table</source>
        <translation>表中的光线</translation>
    </message>
    <message>
        <source>It has no parts with these values.</source>
        <translation>以这些数值没有任何部件。</translation>
    </message>
    <message>
        <source>Contains {counted}: {listed}. They are read only: change the points, the parameters, or the definition of the module.</source>
        <translation>包含 {counted}：{listed}。它们只读：请更改点、参数或模块的定义。</translation>
    </message>
    <message>
        <source>{name}: usually from {start} to {end} in steps of {step}; any number is taken.</source>
        <translation>{name}：通常从 {start} 到 {end}，步长 {step}；可取任意数值。</translation>
    </message>
    <message>
        <source>Solid</source>
        <translation>实线</translation>
    </message>
    <message>
        <source>Dashed</source>
        <translation>虚线</translation>
    </message>
    <message>
        <source>Dotted</source>
        <translation>点线</translation>
    </message>
    <message>
        <source>Its own colour; as the theme says where it would hardly be seen.</source>
        <translation>其自身的颜色；几乎看不见时随主题。</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Line width</source>
        <translation>线宽</translation>
    </message>
    <message>
        <source>Dashes</source>
        <translation>线型</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Remove the colour</source>
        <translation>移除颜色</translation>
    </message>
    <message>
        <source>Remove the colour: as the theme</source>
        <translation>移除颜色：随主题</translation>
    </message>
    <message>
        <source>as the theme</source>
        <translation>随主题</translation>
    </message>
    <message>
        <source>{label} cannot be read as a list and are kept unchanged in the file.</source>
        <translation>{label}：无法作为列表读取，在文件中保持不变。</translation>
    </message>
    <message>
        <source>drag them on the canvas</source>
        <translation>在画布上拖动</translation>
    </message>
    <message>
        <source>edit them as JSON</source>
        <translation>以 JSON 编辑</translation>
    </message>
    <message>
        <source>{count} items: {where}.</source>
        <translation>{count} 项：{where}。</translation>
    </message>
    <message>
        <source>Remove {item} {number}</source>
        <translation>移除{item} {number}</translation>
    </message>
    <message>
        <source>Remove this {item}</source>
        <translation>移除此{item}</translation>
    </message>
    <message>
        <source>Add {item}</source>
        <translation>添加{item}</translation>
    </message>
    <message>
        <source> first control point</source>
        <translation> 第一控制点</translation>
    </message>
    <message>
        <source> second control point</source>
        <translation> 第二控制点</translation>
    </message>
    <message>
        <source>to</source>
        <translation>至</translation>
    </message>
    <message>
        <source>corner</source>
        <translation>角点</translation>
    </message>
    <message>
        <source>point</source>
        <translation>点</translation>
    </message>
    <message>
        <source>node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>outgoing ray</source>
        <translation>出射光线</translation>
    </message>
    <message>
        <source>order</source>
        <translation>级次</translation>
    </message>
    <message>
        <source>piece</source>
        <translation>分段</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无限制</translation>
    </message>
    <message>
        <source>{label}, slider</source>
        <translation>{label}，滑块</translation>
    </message>
    <message>
        <source>Objects of the scene</source>
        <translation>场景的对象</translation>
    </message>
    <message>
        <source>No object matches. Try another name or kind.</source>
        <translation>没有匹配的对象。请换一个名称或类型。</translation>
    </message>
    <message>
        <source>Find an object</source>
        <translation>查找对象</translation>
    </message>
    <message>
        <source>Find by name or kind</source>
        <translation>按名称或类型查找</translation>
    </message>
    <message>
        <source>No objects. Open a scene, or drop a file on the window.</source>
        <translation>没有对象。请打开场景，或将文件拖入窗口。</translation>
    </message>
    <message>
        <source>Hidden: acts on light, but is not drawn</source>
        <translation>已隐藏：作用于光，但不绘制</translation>
    </message>
    <message>
        <source>Light passes it</source>
        <translation>光直接通过</translation>
    </message>
    <message>
        <source>Locked: cannot be dragged</source>
        <translation>已锁定：不能拖动</translation>
    </message>
    <message>
        <source>The unit of lengths.</source>
        <translation>长度单位。</translation>
    </message>
    <message>
        <source>Power unit</source>
        <translation>功率单位</translation>
    </message>
    <message>
        <source>The unit of powers. Numbers stay; in lm, sources are in W, and light is weighted by the eye.</source>
        <translation>功率单位。数值不变；以 lm 为单位时光源以 W 计，光按视觉函数加权。</translation>
    </message>
    <message>
        <source>Observer</source>
        <translation>观察者</translation>
    </message>
    <message>
        <source>Seed of the random numbers of sources and modules: the same seed gives the same scene.</source>
        <translation>光源和模块随机数的种子：相同种子给出相同场景。</translation>
    </message>
    <message>
        <source>Settings of the scene</source>
        <translation>场景设置</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>The disc through which the scene is seen.</source>
        <translation>观察场景所用的圆盘。</translation>
    </message>
    <message>
        <source>Observer&apos;s radius</source>
        <translation>观察者半径</translation>
    </message>
    <message>
        <source>Radius</source>
        <translation>半径</translation>
    </message>
    <message>
        <source>as written below</source>
        <translation>如下所写</translation>
    </message>
    <message>
        <source>no coating</source>
        <translation>无镀膜</translation>
    </message>
    <message>
        <source>Films are listed from the surroundings to the body; thicknesses and wavelengths are in nm.</source>
        <translation>膜层从环境到物体依次列出；厚度和波长以 nm 为单位。</translation>
    </message>
    <message>
        <source>no finish</source>
        <translation>无表面处理</translation>
    </message>
    <message>
        <source>A reflectance makes it a paint; total is the scattered part of the light at normal incidence, rays the number of scattered rays of a hit, towards the name of an object to which half of them go.</source>
        <translation>反射率使其成为涂料；total 是垂直入射时被散射的比例，rays 是每次命中的散射光线数，towards 是其中一半所朝向对象的名称。</translation>
    </message>
    <message>
        <source>The {noun} as JSON</source>
        <translation>{noun}的 JSON</translation>
    </message>
    <message>
        <source>The {noun} of {edge}. {about}</source>
        <translation>{edge} 的{noun}。{about}</translation>
    </message>
    <message>
        <source>This is no JSON: {error}.</source>
        <translation>不是 JSON：{error}。</translation>
    </message>
    <message>
        <source>Edges</source>
        <translation>边</translation>
    </message>
    <message>
        <source>What part of the light each edge reflects and transmits, and how it scatters.</source>
        <translation>每条边反射和透射多少光，以及如何散射。</translation>
    </message>
    <message>
        <source>The {noun} of this edge.</source>
        <translation>此边的{noun}。</translation>
    </message>
    <message>
        <source>{label} of edge {title}</source>
        <translation>边 {title} 的{label}</translation>
    </message>
    <message>
        <source>edge {title} of {name}</source>
        <translation>{name} 的边 {title}</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>关联</translation>
    </message>
    <message>
        <source>A slider above the table</source>
        <translation>在表格上方设滑块</translation>
    </message>
    <message>
        <source>Numbers by their names, such as 2*Lens.f</source>
        <translation>以名称表示的数值，例如 2*Lens.f</translation>
    </message>
    <message>
        <source>Slider</source>
        <translation>滑块</translation>
    </message>
    <message>
        <source>{title} of {number}</source>
        <translation>{number} 的{title}</translation>
    </message>
    <message>
        <source>It follows {link}.
An empty link frees it.</source>
        <translation>它跟随 {link}。
清空关联即可解除。</translation>
    </message>
    <message>
        <source>{count} values are pasted, but there are {left} rows from here on.</source>
        <translation>要粘贴 {count} 个数值，但从此处起只有 {left} 行。</translation>
    </message>
    <message>
        <source>Row {row}: {reason}</source>
        <translation>第 {row} 行：{reason}</translation>
    </message>
    <message>
        <source>{reasons}. Nothing is pasted.</source>
        <translation>{reasons}。未粘贴任何内容。</translation>
    </message>
    <message>
        <source>{count} numbers</source>
        <translation>{count} 个数值</translation>
    </message>
    <message>
        <source>{count} pasted</source>
        <translation>已粘贴{count}</translation>
    </message>
    <message>
        <source>No number matches. Type words of its object, its name or its link.</source>
        <translation>没有匹配的数值。请输入其对象、名称或关联中的词。</translation>
    </message>
    <message>
        <source>Nothing is selected that has numbers.</source>
        <translation>所选内容没有数值。</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Filter of the parameters</source>
        <translation>参数筛选</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>滤光</translation>
    </message>
    <message>
        <source>Filter</source>
        <comment>rows</comment>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Selection only</source>
        <translation>仅所选</translation>
    </message>
    <message>
        <source>Write the table to a file</source>
        <translation>将表格写入文件</translation>
    </message>
    <message>
        <source>Sliders</source>
        <translation>滑块</translation>
    </message>
    <message>
        <source>1 number</source>
        <translation>1 个数值</translation>
    </message>
    <message>
        <source>Several columns are pasted. Copy one column of numbers.</source>
        <translation>粘贴了多列。请复制一列数值。</translation>
    </message>
    <message>
        <source>Export parameters</source>
        <translation>导出参数</translation>
    </message>
    <message>
        <source>Unlink</source>
        <translation>解除关联</translation>
    </message>
    <message>
        <source>Add to study</source>
        <translation>添加到研究</translation>
    </message>
    <message>
        <source>left end of the slider</source>
        <translation>滑块左端</translation>
    </message>
    <message>
        <source>right end of the slider</source>
        <translation>滑块右端</translation>
    </message>
    <message>
        <source>{number}, slider</source>
        <translation>{number}，滑块</translation>
    </message>
    <message>
        <source>Remove the slider of {number}</source>
        <translation>移除 {number} 的滑块</translation>
    </message>
    <message>
        <source>Remove the slider</source>
        <translation>移除滑块</translation>
    </message>
    <message>
        <source>power</source>
        <translation>功率</translation>
    </message>
    <message>
        <source>power ({power_unit})</source>
        <translation>功率 ({power_unit})</translation>
    </message>
    <message>
        <source>irradiance ({power} / {unit})</source>
        <translation>辐照度 ({power} / {unit})</translation>
    </message>
    <message>
        <source>position along the detector ({unit})</source>
        <translation>沿探测器的位置 ({unit})</translation>
    </message>
    <message>
        <source>without interference [{power_unit}/{unit}]</source>
        <translation>无干涉 [{power_unit}/{unit}]</translation>
    </message>
    <message>
        <source>angle from the normal of the lit side (°)</source>
        <translation>与受光面法线的夹角 (°)</translation>
    </message>
    <message>
        <source>angle from the normal (°)</source>
        <translation>与法线的夹角 (°)</translation>
    </message>
    <message>
        <source>{axis} per {width:g}°</source>
        <translation>{axis} / {width:g}°</translation>
    </message>
    <message>
        <source>light from both sides</source>
        <translation>来自两侧的光</translation>
    </message>
    <message>
        <source>wavelength (nm)</source>
        <translation>波长 (nm)</translation>
    </message>
    <message>
        <source>distance along the beam [{unit}]</source>
        <translation>沿光束的距离 [{unit}]</translation>
    </message>
    <message>
        <source>RMS width across the beam [{unit}]</source>
        <translation>光束横向 RMS 宽度 [{unit}]</translation>
    </message>
    <message>
        <source>best focus: defocus {best:+.4g} {unit}, RMS {least:.3g} {unit}</source>
        <translation>最佳焦点：离焦 {best:+.4g} {unit}，RMS {least:.3g} {unit}</translation>
    </message>
    <message>
        <source>distance from the detector along the beam ({unit})</source>
        <translation>沿光束距探测器的距离 ({unit})</translation>
    </message>
    <message>
        <source>RMS width across the beam ({unit})</source>
        <translation>光束横向 RMS 宽度 ({unit})</translation>
    </message>
    <message>
        <source>Irradiance</source>
        <translation>辐照度</translation>
    </message>
    <message>
        <source>Irradiance with interference</source>
        <translation>含干涉的辐照度</translation>
    </message>
    <message>
        <source>Angles</source>
        <translation>角度</translation>
    </message>
    <message>
        <source>Spectrum</source>
        <translation>光谱</translation>
    </message>
    <message>
        <source>Spot along the beam</source>
        <translation>沿光束的光斑</translation>
    </message>
    <message>
        <source>All light</source>
        <translation>全部光</translation>
    </message>
    <message>
        <source>Split by source</source>
        <translation>按光源拆分</translation>
    </message>
    <message>
        <source>Split by wavelength</source>
        <translation>按波长拆分</translation>
    </message>
    <message>
        <source>no wavelength</source>
        <translation>无波长</translation>
    </message>
    <message>
        <source>Plot of the lens</source>
        <translation>透镜曲线图</translation>
    </message>
    <message>
        <source>Power from source to end</source>
        <translation>从光源到终点的功率</translation>
    </message>
    <message>
        <source>part of the source</source>
        <translation>光源的部分</translation>
    </message>
    <message>
        <source>{count} other {what}</source>
        <translation>其他 {count} 个{what}</translation>
    </message>
    <message>
        <source>No light is emitted.</source>
        <translation>没有发光。</translation>
    </message>
    <message>
        <source>Where power goes</source>
        <translation>功率去向</translation>
    </message>
    <message>
        <source>The plot</source>
        <translation>曲线图</translation>
    </message>
    <message>
        <source>in parts of all emitted power</source>
        <translation>占全部发射功率的比例</translation>
    </message>
    <message>
        <source>no light is emitted</source>
        <translation>没有发光</translation>
    </message>
    <message>
        <source>No lens system in the scene. Open a lens file, or insert one from Lenses, to see its aberrations.</source>
        <translation>场景中没有透镜系统。打开透镜文件，或从“透镜”插入一个，以查看其像差。</translation>
    </message>
    <message>
        <source>Aberrations of a lens</source>
        <translation>透镜像差</translation>
    </message>
    <message>
        <source>The plot of the lens</source>
        <translation>透镜曲线图</translation>
    </message>
    <message>
        <source>Centroid</source>
        <translation>质心</translation>
    </message>
    <message>
        <source>RMS width</source>
        <translation>RMS 宽度</translation>
    </message>
    <message>
        <source>Full width</source>
        <translation>全宽</translation>
    </message>
    <message>
        <source>Signed power</source>
        <translation>带符号的功率</translation>
    </message>
    <message>
        <source>No detector in the scene. Draw one, on any surface, to see the irradiance along it.</source>
        <translation>场景中没有探测器。在任意表面绘制一个，即可查看沿其的辐照度。</translation>
    </message>
    <message>
        <source>no light arrives</source>
        <translation>没有光到达</translation>
    </message>
    <message>
        <source>the scene simulates no colours</source>
        <translation>场景不模拟颜色</translation>
    </message>
    <message>
        <source>less than two rays</source>
        <translation>少于两条光线</translation>
    </message>
    <message>
        <source>{value:.{digits}g} {unit}: {about}</source>
        <translation>{value:.{digits}g} {unit}: {about}</translation>
    </message>
    <message>
        <source>{value:.5g} {unit}</source>
        <translation>{value:.5g} {unit}</translation>
    </message>
    <message>
        <source>{count} rays</source>
        <translation>{count} 条光线</translation>
    </message>
    <message>
        <source>; widths of {share} of the light, on one path</source>
        <translation>；宽度取同一路径上 {share} 的光</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>拆分</translation>
    </message>
    <message>
        <source>Light at the detector</source>
        <translation>探测器上的光</translation>
    </message>
    <message>
        <source>From before the last change: the scene cannot be traced now.</source>
        <translation>为上次更改之前的内容：场景目前无法追迹。</translation>
    </message>
    <message>
        <source>PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf);;Numbers as CSV (*.csv)</source>
        <translation>PNG 图片 (*.png);;SVG 图形 (*.svg);;PDF 页面 (*.pdf);;CSV 数据 (*.csv)</translation>
    </message>
    <message>
        <source>Plot</source>
        <translation>曲线图</translation>
    </message>
    <message>
        <source>Export plot</source>
        <translation>导出曲线图</translation>
    </message>
    <message>
        <source>There is no plot to export: {value}.</source>
        <translation>没有可导出的曲线图：{value}。</translation>
    </message>
    <message>
        <source>{path}: a plot is written as .png, .svg, .pdf or .csv. Use one of these suffixes.</source>
        <translation>{path}：曲线图可写为 .png、.svg、.pdf 或 .csv。请使用这些后缀之一。</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>首选项</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>语言模型</translation>
    </message>
    <message>
        <source>Server, model and key are chosen in the chat.</source>
        <translation>服务器、模型和密钥在聊天中选择。</translation>
    </message>
    <message>
        <source>Connect a model…</source>
        <translation>连接模型…</translation>
    </message>
    <message>
        <source>Server, model and key</source>
        <translation>服务器、模型和密钥</translation>
    </message>
    <message>
        <source>Restore defaults</source>
        <translation>恢复默认值</translation>
    </message>
    <message>
        <source>Open a project folder</source>
        <translation>打开项目文件夹</translation>
    </message>
    <message>
        <source>{folder}: this is no project: it has neither tools.py nor *.worker files. Choose another folder.</source>
        <translation>{folder}：这不是项目：既没有 tools.py，也没有 *.worker 文件。请选择其他文件夹。</translation>
    </message>
    <message>
        <source>{value}: this cannot be read ({reason}).</source>
        <translation>{value}：无法读取（{reason}）。</translation>
    </message>
    <message>
        <source>{folder}: the code was changed while you looked at it. Open the project again to see it as it is.</source>
        <translation>{folder}：查看期间代码已更改。请重新打开项目以查看当前代码。</translation>
    </message>
    <message>
        <source>Trust this project?</source>
        <translation>信任此项目？</translation>
    </message>
    <message>
        <source>Run the Python code of this project?</source>
        <translation>运行此项目的 Python 代码？</translation>
    </message>
    <message>
        <source>It would run with all your rights: it can read, change and send your files. Trust it only if you know who wrote it.</source>
        <translation>它将以您的全部权限运行：可读取、更改和发送您的文件。仅在知道作者时才信任它。</translation>
    </message>
    <message>
        <source>File of the project</source>
        <translation>项目文件</translation>
    </message>
    <message>
        <source>Code that would run</source>
        <translation>将要运行的代码</translation>
    </message>
    <message>
        <source>Trust and run</source>
        <translation>信任并运行</translation>
    </message>
    <message>
        <source># compiled code, {count} bytes
# SHA-256 {digest}</source>
        <translation># 已编译代码，{count} 字节
# SHA-256 {digest}</translation>
    </message>
    <message>
        <source>The search for unsaved changes of earlier runs</source>
        <translation>查找以前运行中未保存的更改</translation>
    </message>
    <message>
        <source>Raybench ended unexpectedly. These unsaved changes can be recovered:</source>
        <translation>Raybench 意外结束。可以恢复以下未保存的更改：</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>以后</translation>
    </message>
    <message>
        <source>Offer them again at the next start</source>
        <translation>下次启动时再次提供</translation>
    </message>
    <message>
        <source>Recover all</source>
        <translation>全部恢复</translation>
    </message>
    <message>
        <source>Open each of them in a tab</source>
        <translation>在各自标签页中打开</translation>
    </message>
    <message>
        <source>the damaged file</source>
        <translation>损坏的文件</translation>
    </message>
    <message>
        <source>Discard the unsaved changes to {title}?</source>
        <translation>放弃对 {title} 的未保存更改？</translation>
    </message>
    <message>
        <source>{about}They cannot be brought back.</source>
        <translation>{about}无法恢复。</translation>
    </message>
    <message>
        <source>Open it with its unsaved changes; its file is unchanged until you save</source>
        <translation>连同未保存的更改打开；保存之前其文件不变</translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Delete these changes</source>
        <translation>删除这些更改</translation>
    </message>
    <message>
        <source>A damaged recovery file: {fault}</source>
        <translation>损坏的恢复文件：{fault}</translation>
    </message>
    <message>
        <source>, never saved</source>
        <translation>，从未保存</translation>
    </message>
    <message>
        <source>{objects}, changed {time:%Y-%m-%d %H:%M:%S}</source>
        <translation>{objects}，更改于 {time:%Y-%m-%d %H:%M:%S}</translation>
    </message>
    <message>
        <source>Scenes (*.json *.raybench);;Plain scenes (*.json);;Raybench documents (*.raybench);;All files (*)</source>
        <translation>场景 (*.json *.raybench);;普通场景 (*.json);;Raybench 文档 (*.raybench);;所有文件 (*)</translation>
    </message>
    <message>
        <source>{name} was changed on disk outside this window. Overwrite it?</source>
        <translation>{name} 在本窗口之外被更改。覆盖？</translation>
    </message>
    <message>
        <source>The version on disk is then kept as {name}.</source>
        <translation>磁盘上的版本随后保留为 {name}。</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Discard what is typed?</source>
        <translation>放弃已输入的内容？</translation>
    </message>
    <message>
        <source>The scene cannot take it over: {value}</source>
        <translation>场景无法采用：{value}</translation>
    </message>
    <message>
        <source>Discard what is typed as JSON?</source>
        <translation>放弃输入的 JSON？</translation>
    </message>
    <message>
        <source>Save the scene as</source>
        <translation>场景另存为</translation>
    </message>
    <message>
        <source>{name} already exists. Replace it?</source>
        <translation>已有 {name}。替换？</translation>
    </message>
    <message>
        <source>Its present content is then kept as {name}.</source>
        <translation>其现有内容随后保留为 {name}。</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Save as {suffix}</source>
        <translation>另存为 {suffix}</translation>
    </message>
    <message>
        <source>{name} is a plain scene, which cannot hold everything. Save it nevertheless?</source>
        <translation>{name} 是普通场景，不能保存全部内容。仍然保存？</translation>
    </message>
    <message>
        <source>

A {suffix} file keeps everything.</source>
        <translation>

{suffix} 文件会保留全部内容。</translation>
    </message>
    <message>
        <source>Save without</source>
        <translation>仍然保存</translation>
    </message>
    <message>
        <source>this scene</source>
        <translation>此场景</translation>
    </message>
    <message>
        <source>{name} no longer exists. Save it again?</source>
        <translation>{name} 已不存在。重新保存？</translation>
    </message>
    <message>
        <source>Save the changes to {name}?</source>
        <translation>保存对 {name} 的更改？</translation>
    </message>
    <message>
        <source>The scene is lost if you discard it.</source>
        <translation>如果放弃，场景将丢失。</translation>
    </message>
    <message>
        <source>They are lost if you discard them.</source>
        <translation>如果放弃，这些更改将丢失。</translation>
    </message>
    <message>
        <source>Checking the document&apos;s file</source>
        <translation>检查文档文件</translation>
    </message>
    <message>
        <source>Saved studies</source>
        <translation>已保存的研究</translation>
    </message>
    <message>
        <source>Save this study in the document, under a name</source>
        <translation>将此研究以名称保存在文档中</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Save study</source>
        <translation>保存研究</translation>
    </message>
    <message>
        <source>Name of the study</source>
        <translation>研究名称</translation>
    </message>
    <message>
        <source>A study needs a name.</source>
        <translation>研究需要名称。</translation>
    </message>
    <message>
        <source>Table as CSV (*.csv);;Table as npz (*.npz);;Table as JSON (*.json);;PNG picture (*.png);;SVG drawing (*.svg)</source>
        <translation>表格 CSV (*.csv);;表格 npz (*.npz);;表格 JSON (*.json);;PNG 图片 (*.png);;SVG 图形 (*.svg)</translation>
    </message>
    <message>
        <source>Write what is varied and what is measured, and press Enter.</source>
        <translation>写出变化项和测量项，然后按 Enter。</translation>
    </message>
    <message>
        <source>Write what may be varied and the goals, and press Enter.</source>
        <translation>写出可变化项和目标，然后按 Enter。</translation>
    </message>
    <message>
        <source>Write by how much parts may be off and what is measured, and press Enter.</source>
        <translation>写出各部件可偏差多少以及测量什么，然后按 Enter。</translation>
    </message>
    <message>
        <source>The scene has changed since; run the study again to apply a row.</source>
        <translation>此后场景已更改；请重新运行研究后再应用某行。</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Measure that is plotted</source>
        <translation>所绘的测量项</translation>
    </message>
    <message>
        <source>The trace</source>
        <translation>追迹</translation>
    </message>
    <message>
        <source>A study is running: stop it first</source>
        <translation>研究正在运行：请先停止</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>{rows} of {count}, {left:.0f} s left</source>
        <translation>{rows} / {count}，还需 {left:.0f} s</translation>
    </message>
    <message>
        <source>{evaluations} evaluations</source>
        <translation>{evaluations} 次求值</translation>
    </message>
    <message>
        <source>Done in {seconds:.1f} s</source>
        <translation>用时 {seconds:.1f} s 完成</translation>
    </message>
    <message>
        <source>{rows} of {count} rows; stopped</source>
        <translation>{count} 行中的 {rows} 行；已停止</translation>
    </message>
    <message>
        <source>Export study</source>
        <translation>导出研究</translation>
    </message>
    <message>
        <source>Keep this value</source>
        <translation>保留此值</translation>
    </message>
    <message>
        <source>Make the changes of the chosen row</source>
        <translation>执行所选行的更改</translation>
    </message>
    <message>
        <source>Loop</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>Back and forth</source>
        <translation>往返</translation>
    </message>
    <message>
        <source>Once</source>
        <translation>一次</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Play or pause (Space)</source>
        <translation>播放或暂停（空格）</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>A row back (Left)</source>
        <translation>后退一行（左键）</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>A row forward (Right)</source>
        <translation>前进一行（右键）</translation>
    </message>
    <message>
        <source>Row of the film</source>
        <translation>影片的行</translation>
    </message>
    <message>
        <source>Rows per second</source>
        <translation>每秒行数</translation>
    </message>
    <message>
        <source>Repetition</source>
        <translation>重复方式</translation>
    </message>
    <message>
        <source>Film…</source>
        <translation>影片…</translation>
    </message>
    <message>
        <source>Write a film: GIF, MP4 or PNG frames</source>
        <translation>写出影片：GIF、MP4 或 PNG 帧</translation>
    </message>
    <message>
        <source>Show the scene (Esc)</source>
        <translation>显示场景（Esc）</translation>
    </message>
    <message>
        <source>Plot of the study</source>
        <translation>研究曲线图</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>样本数</translation>
    </message>
    <message>
        <source>best merit</source>
        <translation>最佳评价值</translation>
    </message>
    <message>
        <source>Rows of the study</source>
        <translation>研究的行</translation>
    </message>
    <message>
        <source>and {more} more lines</source>
        <translation>另有 {more} 行</translation>
    </message>
    <message>
        <source>{name} undefined</source>
        <translation>{name} 未定义</translation>
    </message>
    <message>
        <source>another path: {other}</source>
        <translation>另一路径：{other}</translation>
    </message>
    <message>
        <source>least {least} at {row}, most {most} at {other}</source>
        <translation>最小 {least}（{row}），最大 {most}（{other}）</translation>
    </message>
    <message>
        <source>, a range of {spread:.6g}{unit}</source>
        <translation>，范围 {spread:.6g}{unit}</translation>
    </message>
    <message>
        <source>{least} throughout</source>
        <translation>始终为 {least}</translation>
    </message>
    <message>
        <source>, not met</source>
        <translation>，未达到</translation>
    </message>
    <message>
        <source>Stopped; the best so far. </source>
        <translation>已停止；目前最佳。 </translation>
    </message>
    <message>
        <source>{state}{evaluations} evaluations{number}{method}</source>
        <translation>{state}{evaluations} 次求值{number}{method}</translation>
    </message>
    <message>
        <source> (linear ± {change:.3g}{unit})</source>
        <translation>（线性 ± {change:.3g}{unit}）</translation>
    </message>
    <message>
        <source>   {words} alone: ± {change:.3g}{unit}</source>
        <translation>   仅 {words}：± {change:.3g}{unit}</translation>
    </message>
    <message>
        <source>yield, {of}: {number:.3g} % ({low:.3g} to {high:.3g} %)</source>
        <translation>良率，{of}：{number:.3g} %（{low:.3g} 到 {high:.3g} %）</translation>
    </message>
    <message>
        <source>{what} failed ({why}). {remedy}</source>
        <translation>{what}失败（{why}）。{remedy}</translation>
    </message>
    <message>
        <source>Change what is varied or measured.</source>
        <translation>请更改变化项或测量项。</translation>
    </message>
    <message>
        <source>Nothing yet: File → Save as template…</source>
        <translation>尚无：文件 → 另存为模板…</translation>
    </message>
    <message>
        <source>Save as template</source>
        <translation>另存为模板</translation>
    </message>
    <message>
        <source>Name of the template</source>
        <translation>模板名称</translation>
    </message>
    <message>
        <source>A template cannot be named {name}: it becomes the name of a file. Use letters and digits.</source>
        <translation>模板不能命名为 {name}：它将成为文件名。请使用字母和数字。</translation>
    </message>
    <message>
        <source>There is a template {name} already.</source>
        <translation>已有模板 {name}。</translation>
    </message>
    <message>
        <source>{taken} Replace it?</source>
        <translation>{taken} 替换？</translation>
    </message>
    <message>
        <source>{taken} Give another name.</source>
        <translation>{taken} 请另取名称。</translation>
    </message>
    <message>
        <source>The template was not saved: {error}</source>
        <translation>模板未保存：{error}</translation>
    </message>
    <message>
        <source>The template was not saved: {reason}</source>
        <translation>模板未保存：{reason}</translation>
    </message>
    <message>
        <source>Remove the template {name}? It cannot be brought back.</source>
        <translation>移除模板 {name}？无法恢复。</translation>
    </message>
    <message>
        <source>Remove template</source>
        <translation>移除模板</translation>
    </message>
    <message>
        <source>The template was not removed: {reason}</source>
        <translation>模板未移除：{reason}</translation>
    </message>
    <message>
        <source>Stop tracing and keep the rays traced so far.</source>
        <translation>停止追迹，保留已追迹的光线。</translation>
    </message>
    <message>
        <source> of at most {count}</source>
        <translation> / 最多 {count}</translation>
    </message>
    <message>
        <source>{segments} segments, {percent} of the light on its way</source>
        <translation>{segments} 段，{percent} 的光仍在传播</translation>
    </message>
    <message>
        <source>below {number:g} %</source>
        <translation>低于 {number:g} %</translation>
    </message>
    <message>
        <source>{what} failed. {reason}</source>
        <translation>{what}失败。{reason}</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>It was cancelled; nothing was written.</source>
        <translation>已取消；未写入任何内容。</translation>
    </message>
    <message>
        <source>Choose a smaller size, or fewer rays.</source>
        <translation>请选择更小的尺寸，或减少光线。</translation>
    </message>
    <message>
        <source>The rays are those before the last change. Wait until the scene is traced.</source>
        <translation>光线为上次更改之前的。请等待场景追迹完成。</translation>
    </message>
    <message>
        <source>The scene is still being traced, so that rays are missing. Wait until it is traced, or stop the trace with Esc.</source>
        <translation>场景仍在追迹，因此光线不全。请等待追迹完成，或按 Esc 停止。</translation>
    </message>
    <message>
        <source>Compiling the tracing kernels, {percent:.0f} %</source>
        <translation>正在编译追迹内核，{percent:.0f} %</translation>
    </message>
    <message>
        <source>Tracing failed: {name}: {error}. Undo the last change.</source>
        <translation>追迹失败：{name}：{error}。请撤销上次更改。</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>At most {most:,} rows can be copied. Export them to a file instead.</source>
        <translation>最多可复制 {most:,} 行。请改为导出到文件。</translation>
    </message>
    <message>
        <source>Scenes</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Close this tab</source>
        <translation>关闭此标签页</translation>
    </message>
    <message>
        <source>Open a scene in a new tab</source>
        <translation>在新标签页中打开场景</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>(R2 + R1)/(R2 - R1): a meniscus beyond 1, with the steeper surface in front, and beyond -1, behind.</source>
        <translation>(R2 + R1)/(R2 - R1)：大于 1 为弯月形，较陡的面在前；小于 -1 则在后。</translation>
    </message>
    <message>
        <source>1/radius, positive if the centre is to the right. 0: a plane</source>
        <translation>1/半径，中心在右侧为正。0：平面</translation>
    </message>
    <message>
        <source>10 million</source>
        <translation>1000 万</translation>
    </message>
    <message>
        <source>A baffled telescope: black paint, and the sun beside its field</source>
        <translation>带挡光环的望远镜：黑漆与视场外的太阳</translation>
    </message>
    <message>
        <source>A beam splitter that reflects s and transmits p.</source>
        <translation>反射 s、透射 p 的分束器。</translation>
    </message>
    <message>
        <source>A bent light guide: total reflection</source>
        <translation>弯曲导光管：全反射</translation>
    </message>
    <message>
        <source>A body between two graphs, f(x) &lt; y &lt; g(x), where p1 is at x = -1 and p2 at x = 1.</source>
        <translation>两条曲线之间的物体，f(x) &lt; y &lt; g(x)，p1 在 x = -1，p2 在 x = 1。</translation>
    </message>
    <message>
        <source>A body bounded by a closed chain of cubic Bezier curves.</source>
        <translation>由封闭三次贝塞尔曲线链围成的物体。</translation>
    </message>
    <message>
        <source>A body bounded by closed parametric curves x(t), y(t).</source>
        <translation>由封闭参数曲线 x(t)、y(t) 围成的物体。</translation>
    </message>
    <message>
        <source>A camera lens: light reflected twice inside</source>
        <translation>相机镜头：内部二次反射光</translation>
    </message>
    <message>
        <source>A cemented doublet with the same focus for red and blue, and hardly any spherical aberration.</source>
        <translation>红蓝焦点相同、几乎无球差的胶合双片。</translation>
    </message>
    <message>
        <source>A circle whose rim absorbs incident light.</source>
        <translation>边缘吸收入射光的圆。</translation>
    </message>
    <message>
        <source>A circle with divisions of angle.</source>
        <translation>带角度刻度的圆。</translation>
    </message>
    <message>
        <source>A coin in water: apparent depth</source>
        <translation>水中硬币：视深</translation>
    </message>
    <message>
        <source>A custom surface in the form of a chain of cubic Bezier curves; t is the index of the curve plus its own parameter.</source>
        <translation>三次贝塞尔曲线链形状的自定义表面；t 为曲线编号加其自身参数。</translation>
    </message>
    <message>
        <source>A custom surface in the form of a circular arc; t runs from -1 at p1 to 1 at p2, linearly in the angle.</source>
        <translation>圆弧形自定义表面；t 从 p1 处的 -1 到 p2 处的 1，随角度线性变化。</translation>
    </message>
    <message>
        <source>A custom surface in the form of parametric curves x(t), y(t); t is the curves&apos; parameter. A one-sided surface acts on light that crosses it from the right, seen along increasing t.</source>
        <translation>参数曲线 x(t)、y(t) 形状的自定义表面；t 为曲线参数。单面表面作用于沿 t 增大方向看从右侧穿过的光。</translation>
    </message>
    <message>
        <source>A dichroic mirror and a custom surface</source>
        <translation>二向色镜与自定义面</translation>
    </message>
    <message>
        <source>A family, or several in order; the program&apos;s own font is used where none is installed.</source>
        <translation>一种字体，或依次多种；均未安装时使用程序自带字体。</translation>
    </message>
    <message>
        <source>A flat mirror that reflects without loss on both sides.</source>
        <translation>双面无损反射的平面镜。</translation>
    </message>
    <message>
        <source>A flat mirror that transmits a fraction of the power.</source>
        <translation>透射部分功率的平面镜。</translation>
    </message>
    <message>
        <source>A gradient-index body bounded by a closed chain of cubic Bezier curves.</source>
        <translation>由封闭三次贝塞尔曲线链围成的梯度折射率物体。</translation>
    </message>
    <message>
        <source>A gradient-index body bounded by straight edges and circular arcs, such as a GRIN rod.</source>
        <translation>由直边和圆弧围成的梯度折射率物体，例如 GRIN 棒。</translation>
    </message>
    <message>
        <source>A lens array: one module, many lenses</source>
        <translation>透镜阵列：一个模块，多个透镜</translation>
    </message>
    <message>
        <source>A lens with two spherical surfaces, given by its outline or by its rim and optical data.</source>
        <translation>双球面透镜，由轮廓或由边缘与光学数据给出。</translation>
    </message>
    <message>
        <source>A line of text.</source>
        <translation>一行文字。</translation>
    </message>
    <message>
        <source>A line that absorbs incident light.</source>
        <translation>吸收入射光的线。</translation>
    </message>
    <message>
        <source>A line with or without arrow heads.</source>
        <translation>带或不带箭头的线。</translation>
    </message>
    <message>
        <source>A locked object cannot be dragged. By default it is as the scene says.</source>
        <translation>锁定的对象不能拖动。默认按场景设置。</translation>
    </message>
    <message>
        <source>A magnifier: a virtual image</source>
        <translation>放大镜：虚像</translation>
    </message>
    <message>
        <source>A mirror in the form of a chain of cubic Bezier curves.</source>
        <translation>三次贝塞尔曲线链形状的反射镜。</translation>
    </message>
    <message>
        <source>A mirror in the form of a circular arc.</source>
        <translation>圆弧形反射镜。</translation>
    </message>
    <message>
        <source>A mirror in the form of parametric curves x(t), y(t).</source>
        <translation>参数曲线 x(t)、y(t) 形状的反射镜。</translation>
    </message>
    <message>
        <source>A name of the catalogue of materials, such as N-BK7.</source>
        <translation>材料目录中的名称，例如 N-BK7。</translation>
    </message>
    <message>
        <source>A parabolic mirror whose axis is perpendicular to the line between its ends.</source>
        <translation>轴垂直于两端连线的抛物面镜。</translation>
    </message>
    <message>
        <source>A point on the arc, between its ends.</source>
        <translation>圆弧两端之间的一点。</translation>
    </message>
    <message>
        <source>A point on the boundary.</source>
        <translation>边界上的一点。</translation>
    </message>
    <message>
        <source>A point on the circle.</source>
        <translation>圆上的一点。</translation>
    </message>
    <message>
        <source>A point that emits evenly in all directions.</source>
        <translation>向各方向均匀发光的点。</translation>
    </message>
    <message>
        <source>A point that emits into an angle about the direction from ``p1`` to ``p2``.</source>
        <translation>向 ``p1`` 到 ``p2`` 方向周围一定角度内发光的点。</translation>
    </message>
    <message>
        <source>A prism, or two mirrors.</source>
        <translation>一个棱镜，或两面反射镜。</translation>
    </message>
    <message>
        <source>A reflecting grating in the form of a circular arc, as in a Rowland spectrograph.</source>
        <translation>圆弧形反射光栅，如罗兰光谱仪中所用。</translation>
    </message>
    <message>
        <source>A remark; it names the element on the bench</source>
        <translation>备注；它命名工作台上的元件</translation>
    </message>
    <message>
        <source>A round gradient-index body, such as a Luneburg lens.</source>
        <translation>圆形梯度折射率物体，例如龙伯透镜。</translation>
    </message>
    <message>
        <source>A scale with divisions.</source>
        <translation>带刻度的标尺。</translation>
    </message>
    <message>
        <source>A screen with an opening: it absorbs between each outer end and the corresponding end of the opening.</source>
        <translation>带开口的屏：在每个外端与相应开口端之间吸收。</translation>
    </message>
    <message>
        <source>A solar trough: how well it must follow the sun</source>
        <translation>太阳能槽：跟踪太阳的精度</translation>
    </message>
    <message>
        <source>A source for each field and wavelength.</source>
        <translation>每个视场和波长各一个光源。</translation>
    </message>
    <message>
        <source>A spectrometer: grating, colours, sensor</source>
        <translation>光谱仪：光栅、颜色、传感器</translation>
    </message>
    <message>
        <source>A sphere; its focal length from the centre is n D / (4 (n - 1)).</source>
        <translation>球体；自中心的焦距为 n D / (4 (n - 1))。</translation>
    </message>
    <message>
        <source>A straight custom surface; t runs from -1 at p1 to 1 at p2.</source>
        <translation>平直的自定义表面；t 从 p1 处的 -1 到 p2 处的 1。</translation>
    </message>
    <message>
        <source>A straight or bent rod that keeps light by total reflection.</source>
        <translation>以全反射导光的直杆或弯杆。</translation>
    </message>
    <message>
        <source>A thin lens that images perfectly: 1/s + 1/s&apos; = 1/f for every ray (Hecht, section 5.2.3).</source>
        <translation>理想成像的薄透镜：对每条光线 1/s + 1/s&apos; = 1/f（Hecht，5.2.3 节）。</translation>
    </message>
    <message>
        <source>A trace that needs more is partial.</source>
        <translation>需要更多内存的追迹将不完整。</translation>
    </message>
    <message>
        <source>A trace with more is partial.</source>
        <translation>超出此数的追迹将不完整。</translation>
    </message>
    <message>
        <source>A triplet by its prescription: aberrations, ghosts</source>
        <translation>按处方的三片式镜头：像差与鬼像</translation>
    </message>
    <message>
        <source>A whispering vault: from focus to focus</source>
        <translation>回音穹顶：从焦点到焦点</translation>
    </message>
    <message>
        <source>A3 landscape</source>
        <translation>A3 横向</translation>
    </message>
    <message>
        <source>A3 portrait</source>
        <translation>A3 纵向</translation>
    </message>
    <message>
        <source>A4 landscape</source>
        <translation>A4 横向</translation>
    </message>
    <message>
        <source>A4 portrait</source>
        <translation>A4 纵向</translation>
    </message>
    <message>
        <source>About the centre, which stays.</source>
        <translation>绕中心，中心不动。</translation>
    </message>
    <message>
        <source>Absorption</source>
        <translation>吸收</translation>
    </message>
    <message>
        <source>Absorption coefficient of the power, a formula like that of the index.</source>
        <translation>功率的吸收系数，与折射率一样为公式。</translation>
    </message>
    <message>
        <source>Achromat</source>
        <translation>消色差透镜</translation>
    </message>
    <message>
        <source>Achromatic</source>
        <translation>消色差</translation>
    </message>
    <message>
        <source>Across it.</source>
        <translation>与其垂直。</translation>
    </message>
    <message>
        <source>Act on light from both sides, not only on what crosses from the right of p1-p2.</source>
        <translation>作用于两侧的光，而不仅是从 p1-p2 右侧穿过的光。</translation>
    </message>
    <message>
        <source>Act on wavelengths outside the band instead.</source>
        <translation>改为作用于波段以外的波长。</translation>
    </message>
    <message>
        <source>Act only on wavelengths within the band.</source>
        <translation>仅作用于波段内的波长。</translation>
    </message>
    <message>
        <source>Actual size</source>
        <translation>实际大小</translation>
    </message>
    <message>
        <source>Added to every point of the curves.</source>
        <translation>加到曲线的每个点上。</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>Align</source>
        <translation>对齐</translation>
    </message>
    <message>
        <source>Alignment</source>
        <translation>对齐</translation>
    </message>
    <message>
        <source>All images</source>
        <translation>全部像</translation>
    </message>
    <message>
        <source>All rays are shown.</source>
        <translation>所有光线均已显示。</translation>
    </message>
    <message>
        <source>Along its middle line.</source>
        <translation>沿其中线。</translation>
    </message>
    <message>
        <source>Also count light from the other side, as negative.</source>
        <translation>也计入来自另一侧的光，记为负。</translation>
    </message>
    <message>
        <source>An interferometer: light divided, and its fringes</source>
        <translation>干涉仪：分束与条纹</translation>
    </message>
    <message>
        <source>Anchor, downwards: the text&apos;s base line.</source>
        <translation>锚点，向下：文字基线。</translation>
    </message>
    <message>
        <source>Anchor, to the right.</source>
        <translation>锚点，向右。</translation>
    </message>
    <message>
        <source>Angle and power of each, as formulas.</source>
        <translation>各出射光线的角度和功率（公式）。</translation>
    </message>
    <message>
        <source>Angle between edges</source>
        <translation>边之间的夹角</translation>
    </message>
    <message>
        <source>Angle between rays</source>
        <translation>光线之间的夹角</translation>
    </message>
    <message>
        <source>Angle source</source>
        <translation>角光源</translation>
    </message>
    <message>
        <source>Another point on the boundary.</source>
        <translation>边界上的另一点。</translation>
    </message>
    <message>
        <source>Any centred lens by its prescription; at first a triplet.</source>
        <translation>由处方给出的任意共轴透镜；初始为三片式。</translation>
    </message>
    <message>
        <source>Any other point on the ray.</source>
        <translation>光线上的任意另一点。</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Arc mirror</source>
        <translation>弧面镜</translation>
    </message>
    <message>
        <source>Arrange</source>
        <translation>排列</translation>
    </message>
    <message>
        <source>Arrange</source>
        <comment>menu</comment>
        <translation>排列(&amp;A)</translation>
    </message>
    <message>
        <source>Arrow at the end</source>
        <translation>末端箭头</translation>
    </message>
    <message>
        <source>Arrow at the start</source>
        <translation>起始箭头</translation>
    </message>
    <message>
        <source>Ask about the light</source>
        <translation>询问光的情况</translation>
    </message>
    <message>
        <source>At rest, more rays are traced until the error of the plot, of powers where chance decides, and of the picture in colour modes other than the default is this part of them.</source>
        <translation>静止时继续追迹光线，直到图表、受随机影响的功率以及默认以外颜色模式下图像的误差降到这一比例。</translation>
    </message>
    <message>
        <source>Attach pictures…</source>
        <translation>附加图片…</translation>
    </message>
    <message>
        <source>waves</source>
        <translation>波长</translation>
    </message>
    <message>
        <source>relative pupil</source>
        <translation>相对光瞳</translation>
    </message>
    <message>
        <source>{up} ({unit})</source>
        <translation>{up} ({unit})</translation>
    </message>
    <message>
        <source>transverse</source>
        <translation>横向像差</translation>
    </message>
    <message>
        <source>Optical path difference</source>
        <translation>光程差</translation>
    </message>
    <message>
        <source>OPD</source>
        <translation>光程差</translation>
    </message>
    <message>
        <source>against the sphere about each colour&apos;s chief ray</source>
        <translation>相对于各波长主光线的参考球</translation>
    </message>
    <message>
        <source>Optical path difference, best sphere</source>
        <translation>光程差，最佳参考球</translation>
    </message>
    <message>
        <source>without tilt and defocus of each colour</source>
        <translation>已去除各波长的倾斜与离焦</translation>
    </message>
    <message>
        <source>focus ({unit})</source>
        <translation>离焦 ({unit})</translation>
    </message>
    <message>
        <source>RMS spot ({unit})</source>
        <translation>RMS 光斑 ({unit})</translation>
    </message>
    <message>
        <source>all colours; best focus of all fields {focus:+.4g} {unit}</source>
        <translation>全部波长；所有视场的最佳焦点 {focus:+.4g} {unit}</translation>
    </message>
    <message>
        <source>from the paraxial image at {wavelength}</source>
        <translation>相对于 {wavelength} 的近轴像</translation>
    </message>
    <message>
        <source>paraxial, from the image at {wavelength}</source>
        <translation>近轴，相对于 {wavelength} 的像</translation>
    </message>
    <message>
        <source>Axial colour</source>
        <translation>轴向色差</translation>
    </message>
    <message>
        <source>chief ray ({unit})</source>
        <translation>主光线 ({unit})</translation>
    </message>
    <message>
        <source>from the chief ray at {wavelength}</source>
        <translation>相对于 {wavelength} 的主光线</translation>
    </message>
    <message>
        <source>Field curvature and distortion</source>
        <translation>场曲与畸变</translation>
    </message>
    <message>
        <source>Field curvature</source>
        <translation>场曲</translation>
    </message>
    <message>
        <source>Distortion</source>
        <translation>畸变</translation>
    </message>
    <message>
        <source>distortion (%)</source>
        <translation>畸变 (%)</translation>
    </message>
    <message>
        <source>T: tangential</source>
        <translation>T：子午</translation>
    </message>
    <message>
        <source>S: sagittal, by Coddington</source>
        <translation>S：弧矢，按科丁顿公式</translation>
    </message>
    <message>
        <source>open part of the pupil&apos;s section (%)</source>
        <translation>光瞳截面的通光部分 (%)</translation>
    </message>
    <message>
        <source>Wavefront</source>
        <translation>波前</translation>
    </message>
    <message>
        <source>RMS</source>
        <translation>RMS</translation>
    </message>
    <message>
        <source>RMS (waves)</source>
        <translation>RMS（波长）</translation>
    </message>
    <message>
        <source>Strehl ratio</source>
        <translation>斯特列尔比</translation>
    </message>
    <message>
        <source>best sphere</source>
        <translation>最佳参考球</translation>
    </message>
    <message>
        <source>sphere about the chief ray</source>
        <translation>主光线参考球</translation>
    </message>
    <message>
        <source>of the tangential section, {wavelength}</source>
        <translation>子午截面，{wavelength}</translation>
    </message>
    <message>
        <source>surface</source>
        <translation>面</translation>
    </message>
    <message>
        <source>Seidel sum ({unit})</source>
        <translation>赛德尔和 ({unit})</translation>
    </message>
    <message>
        <source>sum</source>
        <translation>总和</translation>
    </message>
    <message>
        <source>diffraction limit</source>
        <translation>衍射极限</translation>
    </message>
    <message>
        <source>frequency (lines/{unit})</source>
        <translation>空间频率（线/{unit}）</translation>
    </message>
    <message>
        <source>modulation</source>
        <translation>调制度</translation>
    </message>
    <message>
        <source>MTF, tangential</source>
        <translation>MTF，子午</translation>
    </message>
    <message>
        <source>rays, all colours</source>
        <translation>光线，全部波长</translation>
    </message>
    <message>
        <source>of the tangential pupil function, as of a slit along the section</source>
        <translation>由子午光瞳函数得出，相当于沿截面的狭缝</translation>
    </message>
    <message>
        <source>modulation at {frequency:g} lines/{unit}</source>
        <translation>{frequency:g} 线/{unit} 处的调制度</translation>
    </message>
    <message>
        <source>MTF through focus, tangential</source>
        <translation>离焦 MTF，子午</translation>
    </message>
    <message>
        <source>diffraction, {wavelength}, tangential pupil function</source>
        <translation>衍射，{wavelength}，子午光瞳函数</translation>
    </message>
    <message>
        <source>from the chief ray ({unit})</source>
        <translation>距主光线 ({unit})</translation>
    </message>
    <message>
        <source>irradiance (1/{unit})</source>
        <translation>辐照度 (1/{unit})</translation>
    </message>
    <message>
        <source>Line spread function, tangential</source>
        <translation>线扩散函数，子午</translation>
    </message>
    <message>
        <source>areas are 1</source>
        <translation>面积均为 1</translation>
    </message>
    <message>
        <source>field curvature: T solid, S dashed; MTF: diffraction solid, rays dashed</source>
        <translation>场曲：T 实线，S 虚线；MTF：衍射实线，光线虚线</translation>
    </message>
    <message>
        <source>Axis</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>Azimuth</source>
        <translation>方位角</translation>
    </message>
    <message>
        <source>Azimuth of polarization</source>
        <translation>偏振方位角</translation>
    </message>
    <message>
        <source>Azimuth of the fast axis. 0 is perpendicular to the drawing (s), 90 in it (p); counter-clockwise, looking into the light of a beam with the same ends.</source>
        <translation>快轴方位角。0 为垂直于图面 (s)，90 为图面内 (p)；迎着两端相同的光束看逆时针。</translation>
    </message>
    <message>
        <source>Azimuth of the transmitted light. 0 is perpendicular to the drawing (s), 90 in it (p); counter-clockwise, looking into the light of a beam with the same ends.</source>
        <translation>透射光的方位角。0 为垂直于图面 (s)，90 为图面内 (p)；迎着两端相同的光束看逆时针。</translation>
    </message>
    <message>
        <source>Background picture…</source>
        <translation>背景图片…</translation>
    </message>
    <message>
        <source>Ball lens</source>
        <translation>球透镜</translation>
    </message>
    <message>
        <source>Band centre</source>
        <translation>波段中心</translation>
    </message>
    <message>
        <source>Base angle</source>
        <translation>底角</translation>
    </message>
    <message>
        <source>Beam</source>
        <translation>光束</translation>
    </message>
    <message>
        <source>Beam expander</source>
        <translation>扩束器</translation>
    </message>
    <message>
        <source>Beam splitter</source>
        <translation>分束器</translation>
    </message>
    <message>
        <source>Bend</source>
        <translation>弯曲</translation>
    </message>
    <message>
        <source>Between its faces.</source>
        <translation>两面之间。</translation>
    </message>
    <message>
        <source>Between the base and each of the inclined faces.</source>
        <translation>底面与各斜面之间。</translation>
    </message>
    <message>
        <source>Bezier</source>
        <translation>贝塞尔</translation>
    </message>
    <message>
        <source>Biconvex lens</source>
        <translation>双凸透镜</translation>
    </message>
    <message>
        <source>Bin size</source>
        <translation>区间宽度</translation>
    </message>
    <message>
        <source>Bins count from here; with it above the second end, light going right counts as positive.</source>
        <translation>区间从此处起算；若其高于第二端，向右的光记为正。</translation>
    </message>
    <message>
        <source>Block light that passes beside the glasses, beyond their rims.</source>
        <translation>挡住从玻璃边缘以外通过的光。</translation>
    </message>
    <message>
        <source>Blocker</source>
        <translation>挡光板</translation>
    </message>
    <message>
        <source>Blockers</source>
        <translation>挡光元件</translation>
    </message>
    <message>
        <source>Bold</source>
        <translation>粗体</translation>
    </message>
    <message>
        <source>Bold Italic</source>
        <translation>粗斜体</translation>
    </message>
    <message>
        <source>Bold Oblique</source>
        <translation>粗倾斜体</translation>
    </message>
    <message>
        <source>Both surfaces bend to the same side, as its shape factor says.</source>
        <translation>两面向同一侧弯曲，程度由形状因子决定。</translation>
    </message>
    <message>
        <source>Bottom right corner</source>
        <translation>右下角</translation>
    </message>
    <message>
        <source>Bottom sides</source>
        <translation>下边</translation>
    </message>
    <message>
        <source>Break module up</source>
        <translation>分解模块</translation>
    </message>
    <message>
        <source>Bring forward</source>
        <translation>上移一层</translation>
    </message>
    <message>
        <source>Bring to front</source>
        <translation>置于顶层</translation>
    </message>
    <message>
        <source>By intensity</source>
        <translation>按强度</translation>
    </message>
    <message>
        <source>By which it turns, upwards where it is positive; 0 is straight.</source>
        <translation>转动的角度，向上为正；0 为直。</translation>
    </message>
    <message>
        <source>Callout</source>
        <translation>引线标注</translation>
    </message>
    <message>
        <source>Cauchy B</source>
        <translation>柯西 B</translation>
    </message>
    <message>
        <source>Centre</source>
        <translation>中心</translation>
    </message>
    <message>
        <source>Centre of the circle.</source>
        <translation>圆心。</translation>
    </message>
    <message>
        <source>Centre of the filter&apos;s band.</source>
        <translation>滤光波段的中心。</translation>
    </message>
    <message>
        <source>Centre x</source>
        <translation>中心 x</translation>
    </message>
    <message>
        <source>Centre y</source>
        <translation>中心 y</translation>
    </message>
    <message>
        <source>Centres</source>
        <translation>中心</translation>
    </message>
    <message>
        <source>Centres of curvature</source>
        <translation>曲率中心</translation>
    </message>
    <message>
        <source>Centres, on a horizontal line</source>
        <translation>中心，水平对齐</translation>
    </message>
    <message>
        <source>Centres, on a vertical line</source>
        <translation>中心，竖直对齐</translation>
    </message>
    <message>
        <source>Circle GRIN glass</source>
        <translation>圆形 GRIN 玻璃</translation>
    </message>
    <message>
        <source>Circle blocker</source>
        <translation>圆形挡光板</translation>
    </message>
    <message>
        <source>Circle glass</source>
        <translation>圆形玻璃</translation>
    </message>
    <message>
        <source>Circular light turns clockwise (right) for somebody into whose eye it falls.</source>
        <translation>圆偏振光对迎光的观察者顺时针（右旋）旋转。</translation>
    </message>
    <message>
        <source>Circular polarization</source>
        <translation>圆偏振</translation>
    </message>
    <message>
        <source>Closed</source>
        <translation>封闭</translation>
    </message>
    <message>
        <source>Coating</source>
        <translation>镀膜</translation>
    </message>
    <message>
        <source>Coefficient of y² of the sag</source>
        <translation>矢高中 y² 的系数</translation>
    </message>
    <message>
        <source>Coefficient of y²⁰ of the sag</source>
        <translation>矢高中 y²⁰ 的系数</translation>
    </message>
    <message>
        <source>Coefficient of y¹² of the sag</source>
        <translation>矢高中 y¹² 的系数</translation>
    </message>
    <message>
        <source>Coefficient of y¹⁰ of the sag</source>
        <translation>矢高中 y¹⁰ 的系数</translation>
    </message>
    <message>
        <source>Coefficient of y¹⁴ of the sag</source>
        <translation>矢高中 y¹⁴ 的系数</translation>
    </message>
    <message>
        <source>Coefficient of y¹⁶ of the sag</source>
        <translation>矢高中 y¹⁶ 的系数</translation>
    </message>
    <message>
        <source>Coefficient of y¹⁸ of the sag</source>
        <translation>矢高中 y¹⁸ 的系数</translation>
    </message>
    <message>
        <source>Coefficient of y⁴ of the sag</source>
        <translation>矢高中 y⁴ 的系数</translation>
    </message>
    <message>
        <source>Coefficient of y⁶ of the sag</source>
        <translation>矢高中 y⁶ 的系数</translation>
    </message>
    <message>
        <source>Coefficient of y⁸ of the sag</source>
        <translation>矢高中 y⁸ 的系数</translation>
    </message>
    <message>
        <source>Coherence group</source>
        <translation>相干组</translation>
    </message>
    <message>
        <source>Coherence length</source>
        <translation>相干长度</translation>
    </message>
    <message>
        <source>Colour mode</source>
        <translation>颜色模式</translation>
    </message>
    <message>
        <source>Colour rays by</source>
        <translation>光线着色依据</translation>
    </message>
    <message>
        <source>Comment</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Compare with an open scene</source>
        <translation>与已打开的场景比较</translation>
    </message>
    <message>
        <source>Compare with file…</source>
        <translation>与文件比较…</translation>
    </message>
    <message>
        <source>Concave grating</source>
        <translation>凹面光栅</translation>
    </message>
    <message>
        <source>Conic</source>
        <translation>圆锥系数</translation>
    </message>
    <message>
        <source>Conic constant: 0 for a sphere, -1 for a parabola</source>
        <translation>圆锥常数：球面为 0，抛物面为 -1</translation>
    </message>
    <message>
        <source>Console</source>
        <translation>控制台</translation>
    </message>
    <message>
        <source>Control points</source>
        <translation>控制点</translation>
    </message>
    <message>
        <source>Copy a client&apos;s configuration</source>
        <translation>复制客户端配置</translation>
    </message>
    <message>
        <source>Copy a configuration with this run&apos;s token</source>
        <translation>复制含本次令牌的配置</translation>
    </message>
    <message>
        <source>Copy diagnostics</source>
        <translation>复制诊断信息</translation>
    </message>
    <message>
        <source>Copy link to the scene</source>
        <translation>复制场景链接</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Corner cube</source>
        <translation>角锥棱镜</translation>
    </message>
    <message>
        <source>Corners in order; a vertex marked arc bends the side between its neighbours.</source>
        <translation>依次为各角点；标为弧的顶点使相邻点之间的边弯曲。</translation>
    </message>
    <message>
        <source>Counter-clockwise, looking into the light.</source>
        <translation>迎着光看逆时针。</translation>
    </message>
    <message>
        <source>Crop box</source>
        <translation>裁剪框</translation>
    </message>
    <message>
        <source>Crown</source>
        <translation>冕牌</translation>
    </message>
    <message>
        <source>Crown thickness</source>
        <translation>冕牌厚度</translation>
    </message>
    <message>
        <source>Curvature</source>
        <translation>曲率</translation>
    </message>
    <message>
        <source>Curve</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Curve GRIN glass</source>
        <translation>曲线 GRIN 玻璃</translation>
    </message>
    <message>
        <source>Curve glass</source>
        <translation>曲线玻璃</translation>
    </message>
    <message>
        <source>Curve mirror</source>
        <translation>曲线反射镜</translation>
    </message>
    <message>
        <source>Curve type</source>
        <translation>曲线类型</translation>
    </message>
    <message>
        <source>Custom arc surface</source>
        <translation>自定义弧面</translation>
    </message>
    <message>
        <source>Custom curve surface</source>
        <translation>自定义曲线表面</translation>
    </message>
    <message>
        <source>Custom orders</source>
        <translation>自定义级次</translation>
    </message>
    <message>
        <source>Custom parametric surface</source>
        <translation>自定义参数表面</translation>
    </message>
    <message>
        <source>Custom surface</source>
        <translation>自定义表面</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>剪切</translation>
    </message>
    <message>
        <source>DOP</source>
        <translation>偏振度</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Dark</source>
        <comment>Theme</comment>
        <translation>深色</translation>
    </message>
    <message>
        <source>Dash-dotted</source>
        <translation>点划线</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Defined by</source>
        <translation>定义方式</translation>
    </message>
    <message>
        <source>Degree of polarization</source>
        <translation>偏振度</translation>
    </message>
    <message>
        <source>Delay across the fast axis: 0.25 of a quarter-wave plate.</source>
        <translation>快轴垂直方向的延迟：四分之一波片为 0.25。</translation>
    </message>
    <message>
        <source>Design wavelength</source>
        <translation>设计波长</translation>
    </message>
    <message>
        <source>Detector</source>
        <translation>探测器</translation>
    </message>
    <message>
        <source>Deviates a beam downwards by about (n - 1) times its angle.</source>
        <translation>使光束向下偏折约 (n - 1) 乘以其楔角。</translation>
    </message>
    <message>
        <source>Diameter</source>
        <translation>直径</translation>
    </message>
    <message>
        <source>Difference of path at which the contrast of fringes has fallen to 1/e; empty for no limit.</source>
        <translation>条纹对比度降至 1/e 时的光程差；留空则无限制。</translation>
    </message>
    <message>
        <source>Dimension line</source>
        <translation>尺寸线</translation>
    </message>
    <message>
        <source>Direction point</source>
        <translation>方向点</translation>
    </message>
    <message>
        <source>Directions of others</source>
        <translation>其他对象的方向</translation>
    </message>
    <message>
        <source>Dispersion: n = A + B/λ², where colours are simulated.</source>
        <translation>色散：n = A + B/λ²，模拟颜色时适用。</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>Distance of the corners of a polygonal graph, in its line&apos;s direction, whatever the length scale of the scene.</source>
        <translation>折线曲线沿其直线方向的角点间距，与场景长度比例无关。</translation>
    </message>
    <message>
        <source>Distance to the next surface along the axis, negative to the left</source>
        <translation>沿轴到下一面的距离，向左为负</translation>
    </message>
    <message>
        <source>Distribute horizontally</source>
        <translation>水平分布</translation>
    </message>
    <message>
        <source>Distribute vertically</source>
        <translation>竖直分布</translation>
    </message>
    <message>
        <source>Divergence</source>
        <translation>发散角</translation>
    </message>
    <message>
        <source>Division</source>
        <translation>刻度间隔</translation>
    </message>
    <message>
        <source>Dove prism</source>
        <translation>道威棱镜</translation>
    </message>
    <message>
        <source>Draw several objects of a kind one after another; Esc leaves the tool.</source>
        <translation>连续绘制多个同类对象；Esc 退出工具。</translation>
    </message>
    <message>
        <source>Drawing</source>
        <translation>绘制</translation>
    </message>
    <message>
        <source>Earlier conversations</source>
        <translation>较早的对话</translation>
    </message>
    <message>
        <source>Edges and distances</source>
        <translation>边与距离</translation>
    </message>
    <message>
        <source>Edit</source>
        <comment>menu</comment>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>Ellipticity</source>
        <translation>椭圆率</translation>
    </message>
    <message>
        <source>Emission angle</source>
        <translation>发射角</translation>
    </message>
    <message>
        <source>Emitted power: 500 of these to the full circle.</source>
        <translation>发射功率：500 对应整圆。</translation>
    </message>
    <message>
        <source>End</source>
        <translation>终点</translation>
    </message>
    <message>
        <source>Entrance pupil diameter</source>
        <translation>入瞳直径</translation>
    </message>
    <message>
        <source>Equation glass</source>
        <translation>方程玻璃</translation>
    </message>
    <message>
        <source>Equation mirror</source>
        <translation>方程反射镜</translation>
    </message>
    <message>
        <source>Equilateral prism</source>
        <translation>等边棱镜</translation>
    </message>
    <message>
        <source>Error of refined light</source>
        <translation>细化光的误差</translation>
    </message>
    <message>
        <source>Export figure…</source>
        <translation>导出图形…</translation>
    </message>
    <message>
        <source>Export lens…</source>
        <translation>导出透镜…</translation>
    </message>
    <message>
        <source>Extended rays</source>
        <translation>延长光线</translation>
    </message>
    <message>
        <source>Faraday</source>
        <translation>法拉第</translation>
    </message>
    <message>
        <source>Fast axis</source>
        <translation>快轴</translation>
    </message>
    <message>
        <source>Freehand strokes, each stored as a flat list x, y, x, y ...</source>
        <translation>手绘笔画，每笔存为一列 x, y, x, y ...</translation>
    </message>
    <message>
        <source>Full width of the arriving light along the line: the distance between the outermost rays, or the rim rays of the source where they arrive on the same path.</source>
        <translation>到达光沿线的全宽：最外侧光线之间的距离，或光源边缘光线沿同一路径到达处之间的距离。</translation>
    </message>
    <message>
        <source>Graded index: Luneburg&apos;s lens and a rod</source>
        <translation>梯度折射率：龙伯透镜与棒透镜</translation>
    </message>
    <message>
        <source>Half the clear aperture. Empty: as much as the light of the fields needs</source>
        <translation>通光口径的一半。留空：按视场光线所需</translation>
    </message>
    <message>
        <source>Image f-number</source>
        <translation>像方 F 数</translation>
    </message>
    <message>
        <source>Newton&apos;s telescope: parabola and flat mirror</source>
        <translation>牛顿望远镜：抛物面镜与平面镜</translation>
    </message>
    <message>
        <source>Object numerical aperture</source>
        <translation>物方数值孔径</translation>
    </message>
    <message>
        <source>Polarization: an isolator and a Fresnel rhomb</source>
        <translation>偏振：隔离器与菲涅耳菱体</translation>
    </message>
    <message>
        <source>Radius of curvature, positive if the centre is to the right. Empty or ∞: a plane</source>
        <translation>曲率半径，中心在右侧为正。留空或 ∞：平面</translation>
    </message>
    <message>
        <source>Semi-diameter</source>
        <translation>半口径</translation>
    </message>
    <message>
        <source>Study: a lamp and a light guide</source>
        <translation>研究：灯与导光管</translation>
    </message>
    <message>
        <source>Study: a prism at minimum deviation</source>
        <translation>研究：最小偏向角的棱镜</translation>
    </message>
    <message>
        <source>Study: a telescope, focused to infinity</source>
        <translation>研究：调焦到无穷远的望远镜</translation>
    </message>
    <message>
        <source>Study: a window at Brewster&apos;s angle</source>
        <translation>研究：布儒斯特角窗</translation>
    </message>
    <message>
        <source>Study: an achromat of two glasses</source>
        <translation>研究：双玻璃消色差透镜</translation>
    </message>
    <message>
        <source>Study: how well a periscope must be mounted</source>
        <translation>研究：潜望镜的装配精度</translation>
    </message>
    <message>
        <source>Study: the best form of a lens</source>
        <translation>研究：透镜的最佳形状</translation>
    </message>
    <message>
        <source>The camera lens coated: what is left of its ghosts</source>
        <translation>镀膜后的相机镜头：残余鬼像</translation>
    </message>
    <message>
        <source>The frame of an exported picture. The frame may also limit the number of traced rays.</source>
        <translation>导出图片的边框，也可限制追迹的光线数。</translation>
    </message>
    <message>
        <source>The medium behind the surface: a name of the catalogue, or index/Abbe number such as 1.62/60.3, or mirror. Empty: air</source>
        <translation>面后的介质：目录中的名称，或折射率/阿贝数如 1.62/60.3，或反射镜。留空：空气</translation>
    </message>
    <message>
        <source>The rainbow: dispersion and reflection in a drop</source>
        <translation>彩虹：水滴中的色散与反射</translation>
    </message>
    <message>
        <source>aligned</source>
        <translation>对齐</translation>
    </message>
    <message>
        <source>astigmatism</source>
        <comment>operand</comment>
        <translation>像散</translation>
    </message>
    <message>
        <source>axial colour</source>
        <comment>operand</comment>
        <translation>轴向色差</translation>
    </message>
    <message>
        <source>back focus</source>
        <comment>operand</comment>
        <translation>后截距</translation>
    </message>
    <message>
        <source>centre of curvature</source>
        <translation>曲率中心</translation>
    </message>
    <message>
        <source>centre thickness</source>
        <comment>operand</comment>
        <translation>中心厚度</translation>
    </message>
    <message>
        <source>chief height</source>
        <comment>operand</comment>
        <translation>主光线高度</translation>
    </message>
    <message>
        <source>coma</source>
        <comment>operand</comment>
        <translation>彗差</translation>
    </message>
    <message>
        <source>distortion</source>
        <comment>operand</comment>
        <translation>畸变</translation>
    </message>
    <message>
        <source>edge</source>
        <translation>边</translation>
    </message>
    <message>
        <source>edge thickness</source>
        <comment>operand</comment>
        <translation>边缘厚度</translation>
    </message>
    <message>
        <source>entrance pupil</source>
        <comment>operand</comment>
        <translation>入瞳</translation>
    </message>
    <message>
        <source>exit pupil</source>
        <comment>operand</comment>
        <translation>出瞳</translation>
    </message>
    <message>
        <source>f-number</source>
        <comment>operand</comment>
        <translation>F 数</translation>
    </message>
    <message>
        <source>focal length</source>
        <comment>operand</comment>
        <translation>焦距</translation>
    </message>
    <message>
        <source>focus</source>
        <translation>焦点</translation>
    </message>
    <message>
        <source>image distance</source>
        <comment>operand</comment>
        <translation>像距</translation>
    </message>
    <message>
        <source>intersection</source>
        <translation>交点</translation>
    </message>
    <message>
        <source>lateral colour</source>
        <comment>operand</comment>
        <translation>横向色差</translation>
    </message>
    <message>
        <source>magnification</source>
        <comment>operand</comment>
        <translation>放大率</translation>
    </message>
    <message>
        <source>midpoint</source>
        <translation>中点</translation>
    </message>
    <message>
        <source>mtf</source>
        <comment>operand</comment>
        <translation>MTF</translation>
    </message>
    <message>
        <source>optical path from the source to its end, the sum of index times length; none for an escaped ray</source>
        <translation>从光源到其终点的光程，即折射率乘长度之和；逸出的光线则无</translation>
    </message>
    <message>
        <source>parallel</source>
        <translation>平行</translation>
    </message>
    <message>
        <source>path differences</source>
        <comment>operand</comment>
        <translation>光程差</translation>
    </message>
    <message>
        <source>petzval</source>
        <comment>operand</comment>
        <translation>匹兹伐</translation>
    </message>
    <message>
        <source>power</source>
        <comment>operand</comment>
        <translation>光焦度</translation>
    </message>
    <message>
        <source>power of both polarisations together</source>
        <translation>两种偏振的总功率</translation>
    </message>
    <message>
        <source>ray</source>
        <translation>光线</translation>
    </message>
    <message>
        <source>ray heights</source>
        <comment>operand</comment>
        <translation>光线高度</translation>
    </message>
    <message>
        <source>ray hit</source>
        <translation>光线命中点</translation>
    </message>
    <message>
        <source>revision and row: what answers and the chat call this segment</source>
        <translation>修订号和行号：回答和聊天中对此段的称呼</translation>
    </message>
    <message>
        <source>rms spot</source>
        <comment>operand</comment>
        <translation>RMS 光斑</translation>
    </message>
    <message>
        <source>rms wavefront</source>
        <comment>operand</comment>
        <translation>RMS 波前</translation>
    </message>
    <message>
        <source>sagittal field</source>
        <comment>operand</comment>
        <translation>弧矢场曲</translation>
    </message>
    <message>
        <source>segment limit</source>
        <translation>段数上限</translation>
    </message>
    <message>
        <source>seidel distortion</source>
        <comment>operand</comment>
        <translation>赛德尔畸变</translation>
    </message>
    <message>
        <source>semi-diameter</source>
        <comment>operand</comment>
        <translation>半口径</translation>
    </message>
    <message>
        <source>spherical</source>
        <comment>operand</comment>
        <translation>球差</translation>
    </message>
    <message>
        <source>tangential field</source>
        <comment>operand</comment>
        <translation>子午场曲</translation>
    </message>
    <message>
        <source>total length</source>
        <comment>operand</comment>
        <translation>总长</translation>
    </message>
    <message>
        <source>vacuum wavelength, where colours are simulated</source>
        <translation>真空波长，模拟颜色时使用</translation>
    </message>
    <message>
        <source>y²</source>
        <translation>y²</translation>
    </message>
    <message>
        <source>y²⁰</source>
        <translation>y²⁰</translation>
    </message>
    <message>
        <source>y¹²</source>
        <translation>y¹²</translation>
    </message>
    <message>
        <source>y¹⁰</source>
        <translation>y¹⁰</translation>
    </message>
    <message>
        <source>y¹⁴</source>
        <translation>y¹⁴</translation>
    </message>
    <message>
        <source>y¹⁶</source>
        <translation>y¹⁶</translation>
    </message>
    <message>
        <source>y¹⁸</source>
        <translation>y¹⁸</translation>
    </message>
    <message>
        <source>y⁴</source>
        <translation>y⁴</translation>
    </message>
    <message>
        <source>y⁶</source>
        <translation>y⁶</translation>
    </message>
    <message>
        <source>y⁸</source>
        <translation>y⁸</translation>
    </message>
    <message>
        <source>{word} of {name}</source>
        <translation>{name}的{word}</translation>
    </message>
    <message>
        <source>{word} on {name}</source>
        <translation>{name}上的{word}</translation>
    </message>
    <message>
        <source>{word} to {name}</source>
        <translation>{word}于 {name}</translation>
    </message>
    <message>
        <source>λ</source>
        <translation>λ</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Find an action…</source>
        <translation>查找操作…</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>表面处理</translation>
    </message>
    <message>
        <source>First end</source>
        <translation>第一端</translation>
    </message>
    <message>
        <source>First end of the opening</source>
        <translation>开口的第一端</translation>
    </message>
    <message>
        <source>First outer end</source>
        <translation>第一外端</translation>
    </message>
    <message>
        <source>First point</source>
        <translation>第一点</translation>
    </message>
    <message>
        <source>First rim</source>
        <translation>第一边缘</translation>
    </message>
    <message>
        <source>Fit scene</source>
        <translation>适合场景</translation>
    </message>
    <message>
        <source>Fit selection</source>
        <translation>适合所选</translation>
    </message>
    <message>
        <source>Flint</source>
        <translation>火石</translation>
    </message>
    <message>
        <source>Flint thickness</source>
        <translation>火石厚度</translation>
    </message>
    <message>
        <source>Focal distance</source>
        <translation>焦点距离</translation>
    </message>
    <message>
        <source>Focal points</source>
        <translation>焦点</translation>
    </message>
    <message>
        <source>Foci</source>
        <translation>焦点</translation>
    </message>
    <message>
        <source>Font</source>
        <translation>字体</translation>
    </message>
    <message>
        <source>For small models, such as many on this computer; it may call the other tools, too.</source>
        <translation>用于小型模型，例如本机上的许多模型；它也可以调用其他工具。</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>形式</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Fraction of s that is transmitted, and of p that is reflected.</source>
        <translation>s 透射、p 反射的比例。</translation>
    </message>
    <message>
        <source>Fractions of the power in the orders 0, 1, -1, 2, -2 and so on.</source>
        <translation>各级次 0、1、-1、2、-2 等的功率比例。</translation>
    </message>
    <message>
        <source>From</source>
        <translation>起点</translation>
    </message>
    <message>
        <source>From its first corner to the second. About the centre, which stays.</source>
        <translation>从第一个角到第二个角。绕中心，中心不动。</translation>
    </message>
    <message>
        <source>From its first end to the second. About the centre, which stays.</source>
        <translation>从第一端到第二端。绕中心，中心不动。</translation>
    </message>
    <message>
        <source>From rim to rim.</source>
        <translation>从边缘到边缘。</translation>
    </message>
    <message>
        <source>From the centre, which stays.</source>
        <translation>从中心起，中心不动。</translation>
    </message>
    <message>
        <source>From the principal plane, at 587.56 nm; negative for a diverging lens.</source>
        <translation>自主平面，于 587.56 nm；发散透镜为负。</translation>
    </message>
    <message>
        <source>From the start, which stays.</source>
        <translation>从起点起，起点不动。</translation>
    </message>
    <message>
        <source>From the zero, which stays.</source>
        <translation>从零点起，零点不动。</translation>
    </message>
    <message>
        <source>Full angle into which each point emits.</source>
        <translation>每点发光的全角。</translation>
    </message>
    <message>
        <source>Full angle of the fan.</source>
        <translation>扇形的全角。</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>GB</translation>
    </message>
    <message>
        <source>GRIN glass</source>
        <translation>GRIN 玻璃</translation>
    </message>
    <message>
        <source>Galilei</source>
        <translation>伽利略</translation>
    </message>
    <message>
        <source>Give every ray its source&apos;s wavelength.</source>
        <translation>使每条光线采用其光源的波长。</translation>
    </message>
    <message>
        <source>Give the power of each order instead of a slit width.</source>
        <translation>给出各级次的功率，而非狭缝宽度。</translation>
    </message>
    <message>
        <source>Gives the direction; its distance has no effect.</source>
        <translation>给出方向；其距离无影响。</translation>
    </message>
    <message>
        <source>Glass</source>
        <translation>玻璃</translation>
    </message>
    <message>
        <source>Grating</source>
        <translation>光栅</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Grid points</source>
        <translation>网格点</translation>
    </message>
    <message>
        <source>Grid size</source>
        <translation>网格大小</translation>
    </message>
    <message>
        <source>Grip</source>
        <translation>抓取点</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>组合</translation>
    </message>
    <message>
        <source>Half the width of the filter&apos;s band.</source>
        <translation>滤光波段宽度的一半。</translation>
    </message>
    <message>
        <source>Half width</source>
        <translation>半宽</translation>
    </message>
    <message>
        <source>Half-plane glass</source>
        <translation>半平面玻璃</translation>
    </message>
    <message>
        <source>Handle</source>
        <translation>控制柄</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Help</source>
        <comment>menu</comment>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Hollow</source>
        <translation>空心</translation>
    </message>
    <message>
        <source>How brightness is shown, by intensity as a scale of colours; all except default also trace weak rays.</source>
        <translation>亮度的显示方式，“按强度”为色阶；除默认外均追迹弱光线。</translation>
    </message>
    <message>
        <source>ID</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Ideal lens</source>
        <translation>理想透镜</translation>
    </message>
    <message>
        <source>Ideal mirror</source>
        <translation>理想反射镜</translation>
    </message>
    <message>
        <source>Image density</source>
        <translation>像密度</translation>
    </message>
    <message>
        <source>Import drawing…</source>
        <translation>导入图纸…</translation>
    </message>
    <message>
        <source>Import lens…</source>
        <translation>导入透镜…</translation>
    </message>
    <message>
        <source>Import modules…</source>
        <translation>导入模块…</translation>
    </message>
    <message>
        <source>Imported from beta</source>
        <translation>由测试版导入</translation>
    </message>
    <message>
        <source>Index, or Cauchy&apos;s A where colours are simulated.</source>
        <translation>折射率；模拟颜色时为柯西 A。</translation>
    </message>
    <message>
        <source>Insert</source>
        <translation>插入</translation>
    </message>
    <message>
        <source>Insert</source>
        <comment>menu</comment>
        <translation>插入(&amp;I)</translation>
    </message>
    <message>
        <source>Interaction</source>
        <translation>相互作用</translation>
    </message>
    <message>
        <source>Interactions after which a ray is cut; empty for no limit.</source>
        <translation>光线在此数量的相互作用后截止；留空则无限制。</translation>
    </message>
    <message>
        <source>Intersections</source>
        <translation>交点</translation>
    </message>
    <message>
        <source>Invert</source>
        <translation>反转</translation>
    </message>
    <message>
        <source>Irradiance map</source>
        <translation>辐照度图</translation>
    </message>
    <message>
        <source>Italic</source>
        <translation>斜体</translation>
    </message>
    <message>
        <source>Its curved side faces parallel light; with a negative focal length it is plano-concave.</source>
        <translation>其曲面朝向平行光；焦距为负时为平凹。</translation>
    </message>
    <message>
        <source>Its surfaces, stop, fields and links; without it, a triplet.</source>
        <translation>其表面、光阑、视场和关联；没有则为三片式。</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Join the last node to the first.</source>
        <translation>将最后一个节点与第一个相连。</translation>
    </message>
    <message>
        <source>Keep the tool after drawing</source>
        <translation>绘制后保留工具</translation>
    </message>
    <message>
        <source>Kepler</source>
        <translation>开普勒</translation>
    </message>
    <message>
        <source>Kept for other programs; bodies always merge here.</source>
        <translation>为其他程序保留；此处物体总是合并。</translation>
    </message>
    <message>
        <source>Kept for the web application: it plots the formulas over the body.</source>
        <translation>为网页程序保留：它在物体上绘制公式。</translation>
    </message>
    <message>
        <source>Kept for the web application; here surfaces are met exactly.</source>
        <translation>为网页程序保留；此处精确求交。</translation>
    </message>
    <message>
        <source>Kept for the web application; here the step size is adaptive.</source>
        <translation>为网页程序保留；此处步长自适应。</translation>
    </message>
    <message>
        <source>LaTeX; y is up for ends from left to right, in half distances.</source>
        <translation>LaTeX；两端从左到右时 y 向上，以距离的一半为单位。</translation>
    </message>
    <message>
        <source>Label edges…</source>
        <translation>标记边…</translation>
    </message>
    <message>
        <source>Lambertian</source>
        <translation>朗伯</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Largest depth</source>
        <translation>最大深度</translation>
    </message>
    <message>
        <source>Largest distance from the pointer to what it is drawn to.</source>
        <translation>指针与吸附目标之间的最大距离。</translation>
    </message>
    <message>
        <source>Lateral colour</source>
        <translation>横向色差</translation>
    </message>
    <message>
        <source>Leakage</source>
        <translation>漏光</translation>
    </message>
    <message>
        <source>Left circular</source>
        <translation>左旋圆偏振</translation>
    </message>
    <message>
        <source>Left sides</source>
        <translation>左边</translation>
    </message>
    <message>
        <source>Leg</source>
        <translation>直角边</translation>
    </message>
    <message>
        <source>Length scale</source>
        <translation>长度比例</translation>
    </message>
    <message>
        <source>Lens data</source>
        <translation>透镜数据</translation>
    </message>
    <message>
        <source>Lens merit</source>
        <translation>透镜评价</translation>
    </message>
    <message>
        <source>Lens system</source>
        <translation>透镜系统</translation>
    </message>
    <message>
        <source>Lenses</source>
        <translation>透镜</translation>
    </message>
    <message>
        <source>Let light pass</source>
        <translation>让光通过</translation>
    </message>
    <message>
        <source>Let programs connect</source>
        <translation>允许程序连接</translation>
    </message>
    <message>
        <source>Let programs connect first.</source>
        <translation>请先允许程序连接。</translation>
    </message>
    <message>
        <source>Letter landscape</source>
        <translation>Letter 横向</translation>
    </message>
    <message>
        <source>Letter portrait</source>
        <translation>Letter 纵向</translation>
    </message>
    <message>
        <source>Library…</source>
        <translation>元件库…</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>光源</translation>
    </message>
    <message>
        <source>Light</source>
        <comment>Theme</comment>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Light guide</source>
        <translation>导光管</translation>
    </message>
    <message>
        <source>Light of the fields</source>
        <translation>视场的光</translation>
    </message>
    <message>
        <source>Light on its way back is turned further, not back, as in an isolator.</source>
        <translation>返回的光继续旋转而不是转回，如隔离器中那样。</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>线</translation>
    </message>
    <message>
        <source>Line density</source>
        <translation>刻线密度</translation>
    </message>
    <message>
        <source>Line spread function</source>
        <translation>线扩散函数</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Linear RGB</source>
        <translation>线性 RGB</translation>
    </message>
    <message>
        <source>Lines in a millimetre.</source>
        <translation>每毫米线数。</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁定</translation>
    </message>
    <message>
        <source>Lock objects</source>
        <translation>锁定对象</translation>
    </message>
    <message>
        <source>Locked</source>
        <translation>已锁定</translation>
    </message>
    <message>
        <source>Longitudinal aberration</source>
        <translation>轴向像差</translation>
    </message>
    <message>
        <source>MTF</source>
        <translation>MTF</translation>
    </message>
    <message>
        <source>MTF through focus</source>
        <translation>离焦 MTF</translation>
    </message>
    <message>
        <source>Magnification</source>
        <translation>放大率</translation>
    </message>
    <message>
        <source>Make module…</source>
        <translation>创建模块…</translation>
    </message>
    <message>
        <source>Type a measure, such as power(Screen), to follow it from change to change.</source>
        <translation>输入测量项，例如 power(Screen)，以跟踪其随每次更改的变化。</translation>
    </message>
    <message>
        <source>Give one measure.</source>
        <translation>请给出一个测量项。</translation>
    </message>
    <message>
        <source>change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>{words}, taken back</source>
        <translation>{words}，已撤回</translation>
    </message>
    <message>
        <source>at first</source>
        <translation>最初</translation>
    </message>
    <message>
        <source>A measure over changes</source>
        <translation>随更改变化的测量值</translation>
    </message>
    <message>
        <source>The measure over changes</source>
        <translation>随更改变化的测量值</translation>
    </message>
    <message>
        <source>Measure</source>
        <comment>noun</comment>
        <translation>测量值</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>a measure, such as power(Screen)</source>
        <translation>测量项，例如 power(Screen)</translation>
    </message>
    <message>
        <source>Measure power along the line, bin by bin.</source>
        <translation>沿线逐区间测量功率。</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Meniscus lens</source>
        <translation>弯月透镜</translation>
    </message>
    <message>
        <source>Middle of the edge at one rim.</source>
        <translation>一侧边缘棱的中点。</translation>
    </message>
    <message>
        <source>Middle of the edge at the other rim.</source>
        <translation>另一侧边缘棱的中点。</translation>
    </message>
    <message>
        <source>Midpoints</source>
        <translation>中点</translation>
    </message>
    <message>
        <source>Mirror left to right</source>
        <translation>左右镜像</translation>
    </message>
    <message>
        <source>Mirror top to bottom</source>
        <translation>上下镜像</translation>
    </message>
    <message>
        <source>Mirrors</source>
        <translation>反射镜</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Model Context Protocol</source>
        <translation>Model Context Protocol</translation>
    </message>
    <message>
        <source>More shows more rays while dragging, less follows the mouse more closely.</source>
        <translation>数值大则拖动时显示更多光线，数值小则更紧跟鼠标。</translation>
    </message>
    <message>
        <source>Most segments at rest</source>
        <translation>静止时最多段数</translation>
    </message>
    <message>
        <source>Mounts</source>
        <translation>镜座</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>Move sideways</source>
        <translation>横向移动</translation>
    </message>
    <message>
        <source>Move step</source>
        <translation>移动步长</translation>
    </message>
    <message>
        <source>Move to a new window</source>
        <translation>移到新窗口</translation>
    </message>
    <message>
        <source>Move to best focus</source>
        <translation>移到最佳焦点</translation>
    </message>
    <message>
        <source>Move vertically</source>
        <translation>纵向移动</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>New from template</source>
        <translation>由模板新建</translation>
    </message>
    <message>
        <source>New scenes</source>
        <translation>新场景</translation>
    </message>
    <message>
        <source>New tab</source>
        <translation>新标签页</translation>
    </message>
    <message>
        <source>New window</source>
        <translation>新窗口</translation>
    </message>
    <message>
        <source>Next tab</source>
        <translation>下一标签页</translation>
    </message>
    <message>
        <source>Next view</source>
        <translation>下一视图</translation>
    </message>
    <message>
        <source>No object is hidden.</source>
        <translation>没有隐藏的对象。</translation>
    </message>
    <message>
        <source>No question is being answered.</source>
        <translation>没有正在回答的问题。</translation>
    </message>
    <message>
        <source>No view has been taken back.</source>
        <translation>没有退回过视图。</translation>
    </message>
    <message>
        <source>Nodes and control points in order.</source>
        <translation>依次为节点和控制点。</translation>
    </message>
    <message>
        <source>Nodes and control points in order; the last is joined to the first.</source>
        <translation>依次为节点和控制点；最后一个与第一个相连。</translation>
    </message>
    <message>
        <source>Normal</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>Nothing else has been shown.</source>
        <translation>没有显示过其他内容。</translation>
    </message>
    <message>
        <source>Nothing has been asked yet.</source>
        <translation>尚未提问。</translation>
    </message>
    <message>
        <source>Nothing has been changed.</source>
        <translation>没有更改。</translation>
    </message>
    <message>
        <source>Nothing has been undone.</source>
        <translation>没有撤销过。</translation>
    </message>
    <message>
        <source>Nothing is being traced.</source>
        <translation>没有正在追迹。</translation>
    </message>
    <message>
        <source>Numerical tolerances</source>
        <translation>数值公差</translation>
    </message>
    <message>
        <source>OPD fan, best sphere</source>
        <translation>光程差曲线（最佳参考球）</translation>
    </message>
    <message>
        <source>OPD fan, chief ray&apos;s sphere</source>
        <translation>光程差曲线（主光线参考球）</translation>
    </message>
    <message>
        <source>Objects</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>Oblique</source>
        <translation>倾斜体</translation>
    </message>
    <message>
        <source>Of all rays together; sets the power or power density above.</source>
        <translation>所有光线合计；决定上面的功率或功率密度。</translation>
    </message>
    <message>
        <source>Of each of the three faces.</source>
        <translation>三个面各自的。</translation>
    </message>
    <message>
        <source>Of each of the two short faces.</source>
        <translation>两个短面各自的。</translation>
    </message>
    <message>
        <source>Of each. About the centre, which stays.</source>
        <translation>各自的。绕中心，中心不动。</translation>
    </message>
    <message>
        <source>Of each. From its first corner to the second. About the centre, which stays.</source>
        <translation>各自的。从第一个角到第二个角。绕中心，中心不动。</translation>
    </message>
    <message>
        <source>Of each. From its first end to the second. About the centre, which stays.</source>
        <translation>各自的。从第一端到第二端。绕中心，中心不动。</translation>
    </message>
    <message>
        <source>Of each. From the centre, which stays.</source>
        <translation>各自的。从中心起，中心不动。</translation>
    </message>
    <message>
        <source>Of each. From the start, which stays.</source>
        <translation>各自的。从起点起，起点不动。</translation>
    </message>
    <message>
        <source>Of each. From the zero, which stays.</source>
        <translation>各自的。从零点起，零点不动。</translation>
    </message>
    <message>
        <source>Of each. Of its direction; its place stays.</source>
        <translation>各自的。其方向的；位置不变。</translation>
    </message>
    <message>
        <source>Of each. The centre and the angle stay.</source>
        <translation>各自的。中心和角度不变。</translation>
    </message>
    <message>
        <source>Of each. The centre stays.</source>
        <translation>各自的。中心不变。</translation>
    </message>
    <message>
        <source>Of each. The ends stay.</source>
        <translation>各自的。两端不变。</translation>
    </message>
    <message>
        <source>Of its direction; its place stays.</source>
        <translation>其方向的；位置不变。</translation>
    </message>
    <message>
        <source>Of linear light: 0 is perpendicular to the drawing (s), 90 in it (p); counter-clockwise, looking into the light.</source>
        <translation>线偏振光：0 为垂直于图面 (s)，90 为图面内 (p)；迎着光看逆时针。</translation>
    </message>
    <message>
        <source>Of the beam that gets through.</source>
        <translation>透过光束的。</translation>
    </message>
    <message>
        <source>Of the face where light comes in.</source>
        <translation>光入射面的。</translation>
    </message>
    <message>
        <source>Of the faces where light comes in and goes out.</source>
        <translation>光入射面和出射面的。</translation>
    </message>
    <message>
        <source>Of the first surface; positive where its centre lies behind it, empty where it is flat.</source>
        <translation>第一面的；曲率中心在其后为正，平面留空。</translation>
    </message>
    <message>
        <source>Of the second lens.</source>
        <translation>第二片透镜的。</translation>
    </message>
    <message>
        <source>Of the second surface; positive where its centre lies behind it, empty where it is flat.</source>
        <translation>第二面的；曲率中心在其后为正，平面留空。</translation>
    </message>
    <message>
        <source>Of the solid form.</source>
        <translation>实心形式的。</translation>
    </message>
    <message>
        <source>Offer a model only a dozen tools</source>
        <translation>只向模型提供十来个工具</translation>
    </message>
    <message>
        <source>On the axis.</source>
        <translation>在轴上。</translation>
    </message>
    <message>
        <source>One end of the arc.</source>
        <translation>圆弧的一端。</translation>
    </message>
    <message>
        <source>One end of the blocker.</source>
        <translation>挡光板的一端。</translation>
    </message>
    <message>
        <source>One end of the element.</source>
        <translation>元件的一端。</translation>
    </message>
    <message>
        <source>One end of the emitting line.</source>
        <translation>发光线的一端。</translation>
    </message>
    <message>
        <source>One end of the grating.</source>
        <translation>光栅的一端。</translation>
    </message>
    <message>
        <source>One end of the lens.</source>
        <translation>透镜的一端。</translation>
    </message>
    <message>
        <source>One end of the mirror.</source>
        <translation>反射镜的一端。</translation>
    </message>
    <message>
        <source>One end of the surface.</source>
        <translation>表面的一端。</translation>
    </message>
    <message>
        <source>One ray from ``p1`` through ``p2``.</source>
        <translation>从 ``p1`` 经过 ``p2`` 的一条光线。</translation>
    </message>
    <message>
        <source>Only a model looks at pictures.</source>
        <translation>只有模型才能看图片。</translation>
    </message>
    <message>
        <source>Only a question whose answer ended with an error goes on, with a model.</source>
        <translation>只有回答因错误而中止的问题才能继续，且需要模型。</translation>
    </message>
    <message>
        <source>Open in a new tab…</source>
        <translation>在新标签页中打开…</translation>
    </message>
    <message>
        <source>Open link…</source>
        <translation>打开链接…</translation>
    </message>
    <message>
        <source>Open project folder…</source>
        <translation>打开项目文件夹…</translation>
    </message>
    <message>
        <source>Open recent</source>
        <translation>打开最近文件</translation>
    </message>
    <message>
        <source>Open the files of the last time at start</source>
        <translation>启动时打开上次的文件</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Optical axis</source>
        <translation>光轴</translation>
    </message>
    <message>
        <source>Optimise…</source>
        <translation>优化…</translation>
    </message>
    <message>
        <source>Orders</source>
        <translation>级次</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>原点</translation>
    </message>
    <message>
        <source>Outgoing rays</source>
        <translation>出射光线</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>轮廓</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>总览</translation>
    </message>
    <message>
        <source>PNG</source>
        <translation>PNG</translation>
    </message>
    <message>
        <source>Paper</source>
        <translation>纸张</translation>
    </message>
    <message>
        <source>Paper</source>
        <comment>Theme</comment>
        <translation>纸张</translation>
    </message>
    <message>
        <source>Parabolic mirror</source>
        <translation>抛物面镜</translation>
    </message>
    <message>
        <source>Parallel or diverging rays emitted perpendicular to a line; with ``p1`` above ``p2`` they go to the right.</source>
        <translation>垂直于直线发出的平行或发散光线；``p1`` 在 ``p2`` 上方时向右。</translation>
    </message>
    <message>
        <source>Parametric GRIN glass</source>
        <translation>参数 GRIN 玻璃</translation>
    </message>
    <message>
        <source>Parametric glass</source>
        <translation>参数玻璃</translation>
    </message>
    <message>
        <source>Parametric mirror</source>
        <translation>参数反射镜</translation>
    </message>
    <message>
        <source>Partial reflection</source>
        <translation>部分反射</translation>
    </message>
    <message>
        <source>Penta prism</source>
        <translation>五角棱镜</translation>
    </message>
    <message>
        <source>Perpendicular</source>
        <translation>垂足</translation>
    </message>
    <message>
        <source>Pieces</source>
        <translation>段</translation>
    </message>
    <message>
        <source>Pinned measure</source>
        <translation>固定的测量项</translation>
    </message>
    <message>
        <source>Pivot</source>
        <translation>支点</translation>
    </message>
    <message>
        <source>Plano-convex lens</source>
        <translation>平凸透镜</translation>
    </message>
    <message>
        <source>Play…</source>
        <translation>播放…</translation>
    </message>
    <message>
        <source>Plots</source>
        <translation>曲线图</translation>
    </message>
    <message>
        <source>Point on the arc</source>
        <translation>圆弧上的点</translation>
    </message>
    <message>
        <source>Point source</source>
        <translation>点光源</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>点</translation>
    </message>
    <message>
        <source>Polarisation</source>
        <translation>偏振</translation>
    </message>
    <message>
        <source>Polarization rotator</source>
        <translation>旋光片</translation>
    </message>
    <message>
        <source>Polarizer</source>
        <translation>偏振片</translation>
    </message>
    <message>
        <source>Polarizing splitter</source>
        <translation>偏振分束器</translation>
    </message>
    <message>
        <source>Polygonal</source>
        <translation>折线</translation>
    </message>
    <message>
        <source>Polygonal: straight from step to step. The others are followed exactly.</source>
        <translation>折线：逐步直线。其他形式精确处理。</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Position, downwards.</source>
        <translation>位置，向下。</translation>
    </message>
    <message>
        <source>Position, to the right.</source>
        <translation>位置，向右。</translation>
    </message>
    <message>
        <source>Positions and angles drawn at random from the scene&apos;s seed.</source>
        <translation>位置和角度由场景的随机种子随机抽取。</translation>
    </message>
    <message>
        <source>Positive for a converging lens.</source>
        <translation>会聚透镜为正。</translation>
    </message>
    <message>
        <source>Positive for a converging mirror.</source>
        <translation>会聚反射镜为正。</translation>
    </message>
    <message>
        <source>Power carried by the ray.</source>
        <translation>光线携带的功率。</translation>
    </message>
    <message>
        <source>Power density</source>
        <translation>功率密度</translation>
    </message>
    <message>
        <source>Power falls with the cosine of the angle from the axis.</source>
        <translation>功率随与轴夹角的余弦下降。</translation>
    </message>
    <message>
        <source>Power per unit of length of the line.</source>
        <translation>每单位线长的功率。</translation>
    </message>
    <message>
        <source>Power that arrives at an object from outside, positive from either side; light that arrives twice counts twice.</source>
        <translation>从外部到达对象的功率，两侧均为正；到达两次的光计两次。</translation>
    </message>
    <message>
        <source>Preferences…</source>
        <translation>首选项…</translation>
    </message>
    <message>
        <source>Prescription</source>
        <translation>处方</translation>
    </message>
    <message>
        <source>Present</source>
        <translation>演示</translation>
    </message>
    <message>
        <source>Previous tab</source>
        <translation>上一标签页</translation>
    </message>
    <message>
        <source>Previous view</source>
        <translation>上一视图</translation>
    </message>
    <message>
        <source>Print…</source>
        <translation>打印…</translation>
    </message>
    <message>
        <source>Prisms</source>
        <translation>棱镜</translation>
    </message>
    <message>
        <source>Protractor</source>
        <translation>量角器</translation>
    </message>
    <message>
        <source>Python console</source>
        <translation>Python 控制台</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Radii</source>
        <translation>半径</translation>
    </message>
    <message>
        <source>Radii, or front and back focal distances.</source>
        <translation>半径，或前后焦点距离。</translation>
    </message>
    <message>
        <source>Radius 1</source>
        <translation>半径 1</translation>
    </message>
    <message>
        <source>Radius 2</source>
        <translation>半径 2</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>Random seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Ray arrows</source>
        <translation>光线箭头</translation>
    </message>
    <message>
        <source>Ray density</source>
        <translation>光线密度</translation>
    </message>
    <message>
        <source>Ray fan</source>
        <translation>光线像差曲线</translation>
    </message>
    <message>
        <source>Ray hits</source>
        <translation>光线命中点</translation>
    </message>
    <message>
        <source>Ray limit</source>
        <translation>光线上限</translation>
    </message>
    <message>
        <source>Ray table</source>
        <translation>光线表</translation>
    </message>
    <message>
        <source>Rays per unit in the modes all images and observer.</source>
        <translation>“全部像”和“观察者”模式下每单位的光线数。</translation>
    </message>
    <message>
        <source>Rays per unit in the modes rays and extended.</source>
        <translation>“光线”和“延长光线”模式下每单位的光线数。</translation>
    </message>
    <message>
        <source>Red wavelength</source>
        <translation>红光波长</translation>
    </message>
    <message>
        <source>Red, green, blue and opacity from 0 to 1, such as {&quot;color&quot;: {&quot;r&quot;: 1, &quot;g&quot;: 0.5, &quot;b&quot;: 0, &quot;a&quot;: 1}, &quot;width&quot;: 2, &quot;dash&quot;: [6, 4]}; width and dashes are in pixels.</source>
        <translation>红、绿、蓝和不透明度取 0 到 1，例如 {&quot;color&quot;: {&quot;r&quot;: 1, &quot;g&quot;: 0.5, &quot;b&quot;: 0, &quot;a&quot;: 1}, &quot;width&quot;: 2, &quot;dash&quot;: [6, 4]}；宽度和线型以像素为单位。</translation>
    </message>
    <message>
        <source>Red, green, blue and opacity from 0 to 1, such as {&quot;color&quot;: {&quot;r&quot;: 1, &quot;g&quot;: 0.5, &quot;b&quot;: 0, &quot;a&quot;: 1}}.</source>
        <translation>红、绿、蓝和不透明度取 0 到 1，例如 {&quot;color&quot;: {&quot;r&quot;: 1, &quot;g&quot;: 0.5, &quot;b&quot;: 0, &quot;a&quot;: 1}}。</translation>
    </message>
    <message>
        <source>Field curvature, distortion</source>
        <translation>场曲、畸变</translation>
    </message>
    <message>
        <source>A body with a closed outline of straight edges and circular arcs.</source>
        <translation>轮廓由直边和圆弧闭合而成的物体。</translation>
    </message>
    <message>
        <source>A circular body.</source>
        <translation>圆形物体。</translation>
    </message>
    <message>
        <source>A film or sheet that transmits light of one linear polarization, and absorbs the other.</source>
        <translation>透射一种线偏振光、吸收另一种的薄膜或薄片。</translation>
    </message>
    <message>
        <source>A flat element that reflects and images perfectly: 1/s + 1/s&apos; = 1/f for every ray (Hecht, section 5.4.3).</source>
        <translation>平面反射元件，理想成像：对每条光线 1/s + 1/s&apos; = 1/f（Hecht，5.4.3 节）。</translation>
    </message>
    <message>
        <source>A flat transmission or reflection grating.</source>
        <translation>平面透射或反射光栅。</translation>
    </message>
    <message>
        <source>A gradient-index body bounded by parametric curves, which are shifted by the field ``origin``.</source>
        <translation>由参数曲线围成的梯度折射率物体；字段 ``origin`` 平移这些曲线。</translation>
    </message>
    <message>
        <source>A half-plane of glass on one side of a line: below the line if its first point is to the left of its second.</source>
        <translation>直线一侧的玻璃半平面：当第一点在第二点左侧时为其下方。</translation>
    </message>
    <message>
        <source>A handle: dragging this point moves the group of the handle, which consists of whole objects and of single points of other objects. In the object order of the file format a handle counts as an optical object, but it does not affect light. ``objIndices`` are the indices of the objects in the scene, ``controlPoints`` the single points.</source>
        <translation>手柄：拖动它会移动它的组，组由整个对象和其他对象的单个点组成。在文件格式的顺序中它算作光学对象，但不影响光。``objIndices`` 是场景中对象的编号，``controlPoints`` 是各个点。</translation>
    </message>
    <message>
        <source>A line that measures the power of the light that crosses it. The light passes unchanged.</source>
        <translation>测量穿过它的光功率的线。光不变地通过。</translation>
    </message>
    <message>
        <source>A mirror in the form of a graph y = f(x), whose ends are at x = -1 and x = 1.</source>
        <translation>曲线 y = f(x) 形状的反射镜，两端在 x = -1 和 x = 1。</translation>
    </message>
    <message>
        <source>A plate that delays light polarized across its fast axis: a quarter-wave plate at 45 degrees makes linear light circular, a half-wave plate rotates linear light.</source>
        <translation>延迟垂直于其快轴偏振的光的波片：45 度的四分之一波片使线偏振光变为圆偏振，半波片旋转线偏振光。</translation>
    </message>
    <message>
        <source>A plate that rotates the polarization of light: quartz, or a Faraday rotator.</source>
        <translation>旋转光偏振的片：石英，或法拉第旋光片。</translation>
    </message>
    <message>
        <source>An instance of a module: users see a single object, which is expanded to its parts for tracing.</source>
        <translation>模块的实例：用户看到一个对象，追迹时展开为其部件。</translation>
    </message>
    <message>
        <source>File</source>
        <comment>menu</comment>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Mean position, weighted by power, of the light that arrives at a line, measured along it from its first end.</source>
        <translation>到达某线的光按功率加权的平均位置，沿线从第一端点量起。</translation>
    </message>
    <message>
        <source>Reflect the orders instead of transmitting them.</source>
        <translation>反射各级次，而非透射。</translation>
    </message>
    <message>
        <source>Reflecting</source>
        <translation>反射式</translation>
    </message>
    <message>
        <source>Refractive index</source>
        <translation>折射率</translation>
    </message>
    <message>
        <source>Reinhard</source>
        <translation>Reinhard</translation>
    </message>
    <message>
        <source>Rename group…</source>
        <translation>重命名组…</translation>
    </message>
    <message>
        <source>Reset the layout</source>
        <translation>重置布局</translation>
    </message>
    <message>
        <source>Retardance</source>
        <translation>延迟量</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>右</translation>
    </message>
    <message>
        <source>Right circular</source>
        <translation>右旋圆偏振</translation>
    </message>
    <message>
        <source>Right sides</source>
        <translation>右边</translation>
    </message>
    <message>
        <source>Right-angle prism</source>
        <translation>直角棱镜</translation>
    </message>
    <message>
        <source>Rim point</source>
        <translation>边缘点</translation>
    </message>
    <message>
        <source>Root mean square distance, weighted by power, of the arriving light from its centroid along the line.</source>
        <translation>到达的光沿线距其质心的、按功率加权的均方根距离。</translation>
    </message>
    <message>
        <source>Rotate by 1° clockwise</source>
        <translation>顺时针旋转 1°</translation>
    </message>
    <message>
        <source>Rotate by 1° counter-clockwise</source>
        <translation>逆时针旋转 1°</translation>
    </message>
    <message>
        <source>Rotate step</source>
        <translation>旋转步长</translation>
    </message>
    <message>
        <source>Rotate…</source>
        <translation>旋转…</translation>
    </message>
    <message>
        <source>Rotation</source>
        <translation>旋转</translation>
    </message>
    <message>
        <source>Ruler</source>
        <translation>标尺</translation>
    </message>
    <message>
        <source>SVG</source>
        <translation>SVG</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save as template…</source>
        <translation>另存为模板…</translation>
    </message>
    <message>
        <source>Saved views</source>
        <translation>已保存的视图</translation>
    </message>
    <message>
        <source>Scale background picture by two points…</source>
        <translation>以两点缩放背景图片…</translation>
    </message>
    <message>
        <source>Scale step</source>
        <translation>缩放步长</translation>
    </message>
    <message>
        <source>Scales tolerances, line widths and the rays of a beam.</source>
        <translation>缩放公差、线宽和光束的光线。</translation>
    </message>
    <message>
        <source>Scale…</source>
        <translation>缩放…</translation>
    </message>
    <message>
        <source>Scene and properties</source>
        <translation>场景与属性</translation>
    </message>
    <message>
        <source>Second end</source>
        <translation>第二端</translation>
    </message>
    <message>
        <source>Second end of the opening</source>
        <translation>开口的第二端</translation>
    </message>
    <message>
        <source>Second outer end</source>
        <translation>第二外端</translation>
    </message>
    <message>
        <source>Second point</source>
        <translation>第二点</translation>
    </message>
    <message>
        <source>Second rim</source>
        <translation>第二边缘</translation>
    </message>
    <message>
        <source>Seidel sums</source>
        <translation>赛德尔和</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Select an instance of a module first.</source>
        <translation>请先选择模块的实例。</translation>
    </message>
    <message>
        <source>Select an object first.</source>
        <translation>请先选择对象。</translation>
    </message>
    <message>
        <source>Select an object of a group first.</source>
        <translation>请先选择组中的对象。</translation>
    </message>
    <message>
        <source>Select an object or a measurement first.</source>
        <translation>请先选择对象或测量。</translation>
    </message>
    <message>
        <source>Select and move</source>
        <translation>选择和移动</translation>
    </message>
    <message>
        <source>Select none</source>
        <translation>全不选</translation>
    </message>
    <message>
        <source>Select objects of one group first.</source>
        <translation>请先选择一个组的对象。</translation>
    </message>
    <message>
        <source>Select one object first.</source>
        <translation>请先选择一个对象。</translation>
    </message>
    <message>
        <source>Select one object with edges, such as a glass, first.</source>
        <translation>请先选择一个有边的对象，例如玻璃。</translation>
    </message>
    <message>
        <source>Select three objects or more first.</source>
        <translation>请先选择三个或更多对象。</translation>
    </message>
    <message>
        <source>Select two objects or more first.</source>
        <translation>请先选择两个或更多对象。</translation>
    </message>
    <message>
        <source>Send backward</source>
        <translation>下移一层</translation>
    </message>
    <message>
        <source>Send to back</source>
        <translation>置于底层</translation>
    </message>
    <message>
        <source>Sends light back where it came from, even if it is turned.</source>
        <translation>即使转动，也将光送回来处。</translation>
    </message>
    <message>
        <source>Shape factor</source>
        <translation>形状因子</translation>
    </message>
    <message>
        <source>Shortest time between two recovery files, which are offered after a crash.</source>
        <translation>崩溃后提供的恢复文件的最短写入间隔。</translation>
    </message>
    <message>
        <source>Show grid</source>
        <translation>显示网格</translation>
    </message>
    <message>
        <source>Show hidden objects</source>
        <translation>显示隐藏的对象</translation>
    </message>
    <message>
        <source>Show ray arrows</source>
        <translation>显示光线箭头</translation>
    </message>
    <message>
        <source>Show the grid</source>
        <translation>显示网格</translation>
    </message>
    <message>
        <source>Side</source>
        <translation>边长</translation>
    </message>
    <message>
        <source>A trace</source>
        <translation>某次追迹</translation>
    </message>
    <message>
        <source>the colour mode linear</source>
        <translation>“线性”颜色模式</translation>
    </message>
    <message>
        <source>a lower rayPowerCutoff</source>
        <translation>较小的 rayPowerCutoff </translation>
    </message>
    <message>
        <source>{traces} is partial ({limit}), so that values miss light; a higher limit or a lower ray density follows all</source>
        <translation>{traces}不完整（{limit}），数值缺少部分光；提高上限或降低光线密度即可全部追迹</translation>
    </message>
    <message>
        <source>Rays too weak to follow carried {share} of the power; {follows} follows weaker ones</source>
        <translation>因太弱而未追迹的光线所占功率：{share}；{follows}可追迹更弱的光线</translation>
    </message>
    <message>
        <source>Rays cut at the largest depth carried {share} of the power; a larger one follows them</source>
        <translation>在最大深度处截断的光线所占功率：{share}；增大深度即可继续追迹</translation>
    </message>
    <message>
        <source>Rays carry a power of at most 1 each, so that sources send from {least:.3g} to {most:.3g} % of theirs, and powers do not compare; the colour mode linear sends all</source>
        <translation>每条光线的功率至多为 1，因此各光源只发出其功率的 {least:.3g} 到 {most:.3g} %，功率之间不可比较；“线性”颜色模式会全部发出</translation>
    </message>
    <message>
        <source>{text}. {then}</source>
        <translation>{text}。{then}</translation>
    </message>
    <message>
        <source>{percent:.3g} %</source>
        <translation>{percent:.3g} %</translation>
    </message>
    <message>
        <source>up to {share}</source>
        <translation>至多 {share}</translation>
    </message>
    <message>
        <source>The light of {name} has no wavelength, so that lm assume 555 nm, which the eye sees best. Simulate colours in the settings.</source>
        <translation>{name} 的光没有波长，因此 lm 按人眼最敏感的 555 nm 计。请在设置中模拟颜色。</translation>
    </message>
    <message>
        <source>{name} sends no ray, for the ray density is too low. Raise it in the settings.</source>
        <translation>{name} 没有发出光线，因为光线密度太低。请在设置中提高。</translation>
    </message>
    <message>
        <source>{name} sends only {least:.3g} of its power, for its rays carry at most 1 each, and other sources send more: powers do not compare. Raise the ray density, or choose another colour mode than default.</source>
        <translation>{name} 只发出其功率的 {least:.3g}，因为每条光线至多为 1，而其他光源发出更多：功率之间不可比较。请提高光线密度，或选择默认以外的颜色模式。</translation>
    </message>
    <message>
        <source>{name} takes all light for {wavelength:g} nm. Simulate colours to use the sources&apos; wavelengths.</source>
        <translation>{name} 将所有光按 {wavelength:g} nm 处理。请模拟颜色以使用光源的波长。</translation>
    </message>
    <message>
        <source>Simulate colours</source>
        <translation>模拟颜色</translation>
    </message>
    <message>
        <source>{name}: the data of {material} cover {low:g} to {high:g} nm, not {missing:g} nm. Its refractive index there is that of refIndex and cauchyB.</source>
        <translation>{name}：{material} 的数据覆盖 {low:g} 到 {high:g} nm，不含 {missing:g} nm。该处的折射率由 refIndex 和 cauchyB 给出。</translation>
    </message>
    <message>
        <source>where {name} and {other} lie on each other</source>
        <translation>{name} 与 {other} 重合之处</translation>
    </message>
    <message>
        <source>at {title}</source>
        <translation>{title}</translation>
    </message>
    <message>
        <source>Light of power {power:.3g} met an ill-defined place, first {where}.</source>
        <translation>功率 {power:.3g} 的光遇到未明确定义之处，首先是{where}。</translation>
    </message>
    <message>
        <source>at {title}, whose focal length is 0</source>
        <translation>焦距为 0 的 {title}</translation>
    </message>
    <message>
        <source>at a corner of {title}</source>
        <translation>{title} 的角点</translation>
    </message>
    <message>
        <source>at a corner of {other} on {title}</source>
        <translation>{title} 上 {other} 的角点</translation>
    </message>
    <message>
        <source>at ({x:.6g}, {y:.6g}) on {title}, where its index has no value that light can have</source>
        <translation>{title} 上 ({x:.6g}, {y:.6g}) 处，其折射率没有光可用的值</translation>
    </message>
    <message>
        <source>Single ray</source>
        <translation>单光线</translation>
    </message>
    <message>
        <source>Six points: rim, arc, rim, arc.</source>
        <translation>六个点：边缘、弧、边缘、弧。</translation>
    </message>
    <message>
        <source>Slide 16:9</source>
        <translation>幻灯片 16:9</translation>
    </message>
    <message>
        <source>Slit ratio</source>
        <translation>狭缝比</translation>
    </message>
    <message>
        <source>Slit width over line spacing.</source>
        <translation>狭缝宽度与线距之比。</translation>
    </message>
    <message>
        <source>Small capitals</source>
        <translation>小型大写</translation>
    </message>
    <message>
        <source>Smooth</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Snap to</source>
        <translation>吸附到</translation>
    </message>
    <message>
        <source>Snap to grid</source>
        <translation>吸附到网格</translation>
    </message>
    <message>
        <source>Snapping</source>
        <translation>吸附</translation>
    </message>
    <message>
        <source>Snapping distance</source>
        <translation>吸附距离</translation>
    </message>
    <message>
        <source>Sources with the same text here are coherent with each other, as two slits are.</source>
        <translation>此处文字相同的光源相互相干，如双缝。</translation>
    </message>
    <message>
        <source>Spherical lens</source>
        <translation>球面透镜</translation>
    </message>
    <message>
        <source>Split rays by Fresnel&apos;s equations instead of transmitting all.</source>
        <translation>按菲涅耳公式分光，而非全部透射。</translation>
    </message>
    <message>
        <source>Spot against focus</source>
        <translation>光斑随离焦变化</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>起点</translation>
    </message>
    <message>
        <source>Stop the agent</source>
        <translation>停止助手</translation>
    </message>
    <message>
        <source>Stop tracing</source>
        <translation>停止追迹</translation>
    </message>
    <message>
        <source>Strokes</source>
        <translation>笔画</translation>
    </message>
    <message>
        <source>Add a line to {label}</source>
        <translation>在“{label}”中添加一行</translation>
    </message>
    <message>
        <source>One more line</source>
        <translation>再加一行</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>限值</translation>
    </message>
    <message>
        <source>Adjust</source>
        <translation>调整</translation>
    </message>
    <message>
        <source>Goal</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>First</source>
        <translation>先行更改</translation>
    </message>
    <message>
        <source>Kind of study</source>
        <translation>研究类型</translation>
    </message>
    <message>
        <source>Search the whole ranges</source>
        <translation>搜索整个范围</translation>
    </message>
    <message>
        <source>Light may take any path</source>
        <translation>光可走任意路径</translation>
    </message>
    <message>
        <source>Also another one than in the present scene, such as a total reflection</source>
        <translation>也可为当前场景以外的路径，例如全反射</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>研究</translation>
    </message>
    <message>
        <source>Study panel</source>
        <translation>研究面板</translation>
    </message>
    <message>
        <source>Style</source>
        <translation>样式</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>Sweep…</source>
        <translation>扫描…</translation>
    </message>
    <message>
        <source>Symbolic body merging</source>
        <translation>符号式物体合并</translation>
    </message>
    <message>
        <source>Symmetric</source>
        <translation>对称</translation>
    </message>
    <message>
        <source>System</source>
        <comment>Theme</comment>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Systems</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Tangent</source>
        <translation>切点</translation>
    </message>
    <message>
        <source>The agent answers, and changes nothing</source>
        <translation>助手只回答，不作更改</translation>
    </message>
    <message>
        <source>The agent asks before it changes the scene or acts outside of it</source>
        <translation>助手在更改场景或对外操作之前先询问</translation>
    </message>
    <message>
        <source>The agent changes the scene, which can be undone; it asks before everything else</source>
        <translation>助手更改场景，可以撤销；其他一切操作之前先询问</translation>
    </message>
    <message>
        <source>The agent may</source>
        <translation>助手的权限</translation>
    </message>
    <message>
        <source>The centre and the angle stay.</source>
        <translation>中心和角度不变。</translation>
    </message>
    <message>
        <source>The centre stays.</source>
        <translation>中心不变。</translation>
    </message>
    <message>
        <source>The colours of the window; System is light or dark as the desktop is.</source>
        <translation>窗口的颜色；“系统”随桌面深浅。</translation>
    </message>
    <message>
        <source>The definition in this scene that the parts are made from.</source>
        <translation>本场景中构成各部件的定义。</translation>
    </message>
    <message>
        <source>The detector&apos;s own reading: power along its normal minus power against it.</source>
        <translation>探测器自身读数：沿其法线方向的功率减去反方向的功率。</translation>
    </message>
    <message>
        <source>The end of the opening that faces the first outer end.</source>
        <translation>开口朝向第一外端的一端。</translation>
    </message>
    <message>
        <source>The end of the opening that faces the second outer end.</source>
        <translation>开口朝向第二外端的一端。</translation>
    </message>
    <message>
        <source>The ends stay.</source>
        <translation>两端不变。</translation>
    </message>
    <message>
        <source>The fan lies on both sides of the direction rather than on one.</source>
        <translation>扇形分布在方向两侧，而非一侧。</translation>
    </message>
    <message>
        <source>The fraction of the power that is transmitted.</source>
        <translation>透射功率的比例。</translation>
    </message>
    <message>
        <source>The glass behind, of high dispersion.</source>
        <translation>后方的高色散玻璃。</translation>
    </message>
    <message>
        <source>The glass in front, of low dispersion.</source>
        <translation>前方的低色散玻璃。</translation>
    </message>
    <message>
        <source>The language of the window from the next start on. Questions without a model, tools and files are in English.</source>
        <translation>窗口的语言，下次启动起生效。无模型提问、工具和文件使用英语。</translation>
    </message>
    <message>
        <source>The lower bound, in LaTeX, in half distances of the ends.</source>
        <translation>下界，LaTeX，以两端距离的一半为单位。</translation>
    </message>
    <message>
        <source>The name used by tools and people; it should be unique.</source>
        <translation>工具和人使用的名称；应当唯一。</translation>
    </message>
    <message>
        <source>The other end of the arc.</source>
        <translation>圆弧的另一端。</translation>
    </message>
    <message>
        <source>The other end of the blocker.</source>
        <translation>挡光板的另一端。</translation>
    </message>
    <message>
        <source>The other end of the detector.</source>
        <translation>探测器的另一端。</translation>
    </message>
    <message>
        <source>The other end of the element.</source>
        <translation>元件的另一端。</translation>
    </message>
    <message>
        <source>The other end of the grating.</source>
        <translation>光栅的另一端。</translation>
    </message>
    <message>
        <source>The other end of the lens.</source>
        <translation>透镜的另一端。</translation>
    </message>
    <message>
        <source>The other end of the mirror.</source>
        <translation>反射镜的另一端。</translation>
    </message>
    <message>
        <source>The other end of the surface.</source>
        <translation>表面的另一端。</translation>
    </message>
    <message>
        <source>The other end; with the first end above it the beam goes right.</source>
        <translation>另一端；第一端在其上方时光束向右。</translation>
    </message>
    <message>
        <source>The points from which the module positions its parts.</source>
        <translation>模块定位其部件所依据的点。</translation>
    </message>
    <message>
        <source>The polarized fraction of the power; the rest is unpolarized.</source>
        <translation>功率中偏振的比例；其余为非偏振。</translation>
    </message>
    <message>
        <source>The same retardance in waves for all wavelengths.</source>
        <translation>对所有波长延迟相同的波数。</translation>
    </message>
    <message>
        <source>The scene has no background picture.</source>
        <translation>场景没有背景图片。</translation>
    </message>
    <message>
        <source>The scene has no lens system.</source>
        <translation>场景没有透镜系统。</translation>
    </message>
    <message>
        <source>The scene has no objects.</source>
        <translation>场景没有对象。</translation>
    </message>
    <message>
        <source>The scene&apos;s colour mode</source>
        <translation>场景的颜色模式</translation>
    </message>
    <message>
        <source>The tabs and windows that were open when the program ended. Without, it begins with an example.</source>
        <translation>程序结束时打开的标签页和窗口。否则以示例开始。</translation>
    </message>
    <message>
        <source>The unit of lengths in new scenes.</source>
        <translation>新场景的长度单位。</translation>
    </message>
    <message>
        <source>The upper bound.</source>
        <translation>上界。</translation>
    </message>
    <message>
        <source>The value of each of the module&apos;s parameters.</source>
        <translation>模块各参数的值。</translation>
    </message>
    <message>
        <source>The vertex of the parabola.</source>
        <translation>抛物线的顶点。</translation>
    </message>
    <message>
        <source>The width that light enters through.</source>
        <translation>光入射处的宽度。</translation>
    </message>
    <message>
        <source>The window has one tab.</source>
        <translation>窗口只有一个标签页。</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Thickness</source>
        <translation>厚度</translation>
    </message>
    <message>
        <source>Thickness at the upper edge.</source>
        <translation>上边缘的厚度。</translation>
    </message>
    <message>
        <source>Thin edge</source>
        <translation>薄边</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Threads of a full trace.</source>
        <translation>完整追迹的线程数。</translation>
    </message>
    <message>
        <source>Three sides at 60°, to disperse light.</source>
        <translation>三个边成 60°，用于色散。</translation>
    </message>
    <message>
        <source>Time per frame while dragging</source>
        <translation>拖动时每帧时间</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>公差</translation>
    </message>
    <message>
        <source>Tolerance…</source>
        <translation>公差…</translation>
    </message>
    <message>
        <source>Top left corner</source>
        <translation>左上角</translation>
    </message>
    <message>
        <source>Top sides</source>
        <translation>上边</translation>
    </message>
    <message>
        <source>Total power</source>
        <translation>总功率</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>追迹</translation>
    </message>
    <message>
        <source>Trace</source>
        <comment>menu</comment>
        <translation>追迹(&amp;T)</translation>
    </message>
    <message>
        <source>Trace again</source>
        <translation>重新追迹</translation>
    </message>
    <message>
        <source>Tracing stops after this many segments; empty or 0 for no limit.</source>
        <translation>追迹在此段数后停止；留空或 0 则无限制。</translation>
    </message>
    <message>
        <source>Transformation</source>
        <translation>变换</translation>
    </message>
    <message>
        <source>Transmission</source>
        <translation>透射</translation>
    </message>
    <message>
        <source>Transmittance</source>
        <translation>透射率</translation>
    </message>
    <message>
        <source>Transmitted fraction of light across the axis: the transmittance over the extinction ratio.</source>
        <translation>垂直于轴方向光的透射比例：透射率除以消光比。</translation>
    </message>
    <message>
        <source>Transmitted fraction of light along the axis.</source>
        <translation>沿轴方向光的透射比例。</translation>
    </message>
    <message>
        <source>Transparent</source>
        <translation>透明</translation>
    </message>
    <message>
        <source>Turns a beam downwards by 90° exactly, however it is turned; two faces are mirrored.</source>
        <translation>无论如何转动，都使光束向下精确偏转 90°；两面镀反射膜。</translation>
    </message>
    <message>
        <source>Turns a beam upwards by 90° by total reflection at its long face.</source>
        <translation>以长面的全反射使光束向上偏转 90°。</translation>
    </message>
    <message>
        <source>Turns an image upside down without deviating the beam.</source>
        <translation>使像倒转而不偏折光束。</translation>
    </message>
    <message>
        <source>Two equal radii, for images near natural size; with a negative focal length it is biconcave.</source>
        <translation>两个相等半径，适合接近等大的成像；焦距为负时为双凹。</translation>
    </message>
    <message>
        <source>Two-sided</source>
        <translation>双面</translation>
    </message>
    <message>
        <source>Unfinished</source>
        <translation>未完成</translation>
    </message>
    <message>
        <source>Ungroup</source>
        <translation>取消组合</translation>
    </message>
    <message>
        <source>Unlocked</source>
        <translation>未锁定</translation>
    </message>
    <message>
        <source>Unpolarized</source>
        <translation>非偏振</translation>
    </message>
    <message>
        <source>Vacuum wavelength that has the retardance.</source>
        <translation>具有该延迟的真空波长。</translation>
    </message>
    <message>
        <source>Vacuum wavelength; used where the scene simulates colours.</source>
        <translation>真空波长；场景模拟颜色时使用。</translation>
    </message>
    <message>
        <source>Vertex</source>
        <translation>顶点</translation>
    </message>
    <message>
        <source>Vertices and ends</source>
        <translation>顶点与端点</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>View</source>
        <comment>menu</comment>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>Vignetting</source>
        <translation>渐晕</translation>
    </message>
    <message>
        <source>Violet wavelength</source>
        <translation>紫光波长</translation>
    </message>
    <message>
        <source>W</source>
        <translation>W</translation>
    </message>
    <message>
        <source>Wave plate</source>
        <translation>波片</translation>
    </message>
    <message>
        <source>Wavefront, Strehl ratio</source>
        <translation>波前、斯特列尔比</translation>
    </message>
    <message>
        <source>Wedge angle</source>
        <translation>楔角</translation>
    </message>
    <message>
        <source>Wedge prism</source>
        <translation>楔形棱镜</translation>
    </message>
    <message>
        <source>What dragging the grip does to what the handle holds; about the pivot.</source>
        <translation>拖动抓取点时对控制柄所含内容的作用；绕支点。</translation>
    </message>
    <message>
        <source>What is drawn: rays, rays with extensions, images, or what an observer sees.</source>
        <translation>绘制内容：光线、延长光线、像，或观察者所见。</translation>
    </message>
    <message>
        <source>What the pointer is drawn to; Alt suspends it. The grid is a setting of each scene.</source>
        <translation>指针吸附的目标；Alt 暂停吸附。网格是各场景的设置。</translation>
    </message>
    <message>
        <source>What this window and new ones let the agent do.</source>
        <translation>此窗口和新窗口允许助手做什么。</translation>
    </message>
    <message>
        <source>Where the ray starts.</source>
        <translation>光线的起点。</translation>
    </message>
    <message>
        <source>Where the rays start.</source>
        <translation>光线的起点。</translation>
    </message>
    <message>
        <source>Where the screen begins.</source>
        <translation>屏的起点。</translation>
    </message>
    <message>
        <source>Where the screen ends.</source>
        <translation>屏的终点。</translation>
    </message>
    <message>
        <source>Where x and y of the formulas are 0.</source>
        <translation>公式中 x 和 y 为 0 之处。</translation>
    </message>
    <message>
        <source>Where x is -1 and y is 0.</source>
        <translation>x 为 -1、y 为 0 之处。</translation>
    </message>
    <message>
        <source>Where x is 1 and y is 0; y is up for ends from left to right.</source>
        <translation>x 为 1、y 为 0 之处；两端从左到右时 y 向上。</translation>
    </message>
    <message>
        <source>Whether new scenes show the grid.</source>
        <translation>新场景是否显示网格。</translation>
    </message>
    <message>
        <source>Widens a parallel beam, after Galilei or Kepler (with a focus inside).</source>
        <translation>扩展平行光束，伽利略式或开普勒式（内部有焦点）。</translation>
    </message>
    <message>
        <source>Width of a bin of the irradiance map.</source>
        <translation>辐照度图的区间宽度。</translation>
    </message>
    <message>
        <source>Width of the beam behind it, in widths of the beam before it.</source>
        <translation>其后光束宽度与其前之比。</translation>
    </message>
    <message>
        <source>Width of the beam that comes in.</source>
        <translation>入射光束的宽度。</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Window</source>
        <comment>menu</comment>
        <translation>窗口(&amp;W)</translation>
    </message>
    <message>
        <source>Without or with a focus inside.</source>
        <translation>内部无焦点或有焦点。</translation>
    </message>
    <message>
        <source>Write unsaved changes every</source>
        <translation>未保存更改的写入间隔</translation>
    </message>
    <message>
        <source>X</source>
        <translation>X</translation>
    </message>
    <message>
        <source>Y</source>
        <translation>Y</translation>
    </message>
    <message>
        <source>Zero</source>
        <translation>零</translation>
    </message>
    <message>
        <source>Zero direction</source>
        <translation>零方向</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>a point on one leg</source>
        <translation>一条边上的一点</translation>
    </message>
    <message>
        <source>a point on the other leg</source>
        <translation>另一条边上的一点</translation>
    </message>
    <message>
        <source>a straight edge</source>
        <translation>一条直边</translation>
    </message>
    <message>
        <source>a surface where light meets it</source>
        <translation>光照到的表面处</translation>
    </message>
    <message>
        <source>all processors</source>
        <translation>全部处理器</translation>
    </message>
    <message>
        <source>an edge that is an arc</source>
        <translation>一条弧边</translation>
    </message>
    <message>
        <source>another ray</source>
        <translation>另一条光线</translation>
    </message>
    <message>
        <source>another straight edge</source>
        <translation>另一条直边</translation>
    </message>
    <message>
        <source>cm</source>
        <translation>cm</translation>
    </message>
    <message>
        <source>curveEndpoint, interactionMerging, interactionNormal, forwardDistance, rayPowerCutoff.</source>
        <translation>curveEndpoint、interactionMerging、interactionNormal、forwardDistance、rayPowerCutoff。</translation>
    </message>
    <message>
        <source>d, r1, r2: thickness and radii, r1 &gt; 0 &gt; r2 is biconvex, null is flat; or d, ffd, bfd: focal distances.</source>
        <translation>d, r1, r2：厚度和半径，r1 &gt; 0 &gt; r2 为双凸，null 为平面；或 d, ffd, bfd：焦点距离。</translation>
    </message>
    <message>
        <source>eqnX, eqnY, tMin, tMax and tStep of each curve.</source>
        <translation>每条曲线的 eqnX、eqnY、tMin、tMax 和 tStep。</translation>
    </message>
    <message>
        <source>f(x)</source>
        <translation>f(x)</translation>
    </message>
    <message>
        <source>g(x)</source>
        <translation>g(x)</translation>
    </message>
    <message>
        <source>half of the machine&apos;s</source>
        <translation>本机内存的一半</translation>
    </message>
    <message>
        <source>in</source>
        <translation>in</translation>
    </message>
    <message>
        <source>lm</source>
        <translation>lm</translation>
    </message>
    <message>
        <source>m</source>
        <translation>m</translation>
    </message>
    <message>
        <source>mW</source>
        <translation>mW</translation>
    </message>
    <message>
        <source>million</source>
        <translation>百万</translation>
    </message>
    <message>
        <source>mm</source>
        <translation>mm</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>n of x and y (from the origin) and λ (nm; 540 without colours), in LaTeX.</source>
        <translation>n 为 x、y（自原点）和 λ（nm；无颜色时 540）的函数，LaTeX。</translation>
    </message>
    <message>
        <source>not refined</source>
        <translation>不细化</translation>
    </message>
    <message>
        <source>nm</source>
        <translation>nm</translation>
    </message>
    <message>
        <source>Study</source>
        <comment>menu</comment>
        <translation>研究(&amp;S)</translation>
    </message>
    <message>
        <source>To</source>
        <translation>终点</translation>
    </message>
    <message>
        <source>azimuth of its polarization about the ray, 0 for s, 90 for p; none for unpolarized or circular light</source>
        <translation>其偏振绕光线的方位角，s 为 0，p 为 90；非偏振光或圆偏振光则无</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>degree of polarisation, 0 to 1</source>
        <translation>偏振度，0 到 1</translation>
    </message>
    <message>
        <source>ellipticity of its polarization, -45 left circular, 0 linear, 45 right circular</source>
        <translation>其偏振的椭圆率，-45 为左旋圆，0 为线偏振，45 为右旋圆</translation>
    </message>
    <message>
        <source>how it ended</source>
        <translation>其结束方式</translation>
    </message>
    <message>
        <source>length along the path; infinite for an escaped ray</source>
        <translation>沿路径的长度；逸出的光线为无穷大</translation>
    </message>
    <message>
        <source>memory limit</source>
        <translation>内存上限</translation>
    </message>
    <message>
        <source>name of the optical object at its end</source>
        <translation>其终点处光学对象的名称</translation>
    </message>
    <message>
        <source>one ray</source>
        <translation>一条光线</translation>
    </message>
    <message>
        <source>program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>px</source>
        <translation>px</translation>
    </message>
    <message>
        <source>reduced</source>
        <translation>已简化</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>相对</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>the first point</source>
        <translation>第一点</translation>
    </message>
    <message>
        <source>the lens or mirror that focuses</source>
        <translation>聚焦的透镜或反射镜</translation>
    </message>
    <message>
        <source>the second point</source>
        <translation>第二点</translation>
    </message>
    <message>
        <source>the vertex</source>
        <translation>顶点</translation>
    </message>
    <message>
        <source>turn</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>what it is about</source>
        <translation>所指的内容</translation>
    </message>
    <message>
        <source>what made it</source>
        <translation>其产生方式</translation>
    </message>
    <message>
        <source>where it ends, or in which direction it escapes (degrees, counter-clockwise as seen)</source>
        <translation>其终点，或其逸出方向（度，按所见逆时针）</translation>
    </message>
    <message>
        <source>where its arc goes</source>
        <translation>其弧线的位置</translation>
    </message>
    <message>
        <source>where its line goes</source>
        <translation>其线的位置</translation>
    </message>
    <message>
        <source>where its text goes</source>
        <translation>其文字的位置</translation>
    </message>
    <message>
        <source>where its value goes</source>
        <translation>其数值的位置</translation>
    </message>
    <message>
        <source>{objects} disabled: light passes</source>
        <translation>{objects} 已停用：光直接通过</translation>
    </message>
    <message>
        <source>{objects} enabled</source>
        <translation>{objects} 已启用</translation>
    </message>
    <message>
        <source>{objects} hidden</source>
        <translation>已隐藏 {objects}</translation>
    </message>
    <message>
        <source>{objects} shown</source>
        <translation>已显示 {objects}</translation>
    </message>
    <message>
        <source>µW</source>
        <translation>µW</translation>
    </message>
    <message>
        <source>µm</source>
        <translation>µm</translation>
    </message>
    <message>
        <source>Tool call: {sentence}</source>
        <translation>工具调用：{sentence}</translation>
    </message>
    <message>
        <source>waits for the trace</source>
        <translation>等待追迹</translation>
    </message>
    <message>
        <source>{spent:.{digits}f} ms</source>
        <translation>{spent:.{digits}f} ms</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>已保留</translation>
    </message>
    <message>
        <source>Show in the study panel</source>
        <translation>在研究面板中显示</translation>
    </message>
    <message>
        <source>Run it there, with a plot whose points can be applied and exported</source>
        <translation>在那里运行，带曲线图，其各点可应用和导出</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Pin {measures}</source>
        <translation>固定 {measures}</translation>
    </message>
    <message>
        <source>Keep the value beside its object: it follows every change</source>
        <translation>将该值保留在其对象旁：随每次更改更新</translation>
    </message>
    <message>
        <source>Change the scene?</source>
        <translation>更改场景？</translation>
    </message>
    <message>
        <source>Run {tool}? It cannot be undone.</source>
        <translation>运行 {tool}？无法撤销。</translation>
    </message>
    <message>
        <source>Run {tool}? It acts outside of the scene.</source>
        <translation>运行 {tool}？它作用于场景之外。</translation>
    </message>
    <message>
        <source>Approval: {title}</source>
        <translation>批准：{title}</translation>
    </message>
    <message>
        <source>Run {name}? {remedy}</source>
        <translation>运行 {name}？{remedy}</translation>
    </message>
    <message>
        <source>Allow once</source>
        <translation>允许一次</translation>
    </message>
    <message>
        <source>In this chat</source>
        <translation>在此聊天中</translation>
    </message>
    <message>
        <source>Allow {name} until a new conversation begins, without asking again</source>
        <translation>在新对话开始前允许 {name}，不再询问</translation>
    </message>
    <message>
        <source>Why not?</source>
        <translation>为何不？</translation>
    </message>
    <message>
        <source>Reason for declining</source>
        <translation>拒绝的理由</translation>
    </message>
    <message>
        <source>The model is told</source>
        <translation>会告知模型</translation>
    </message>
    <message>
        <source>Decline</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>No longer possible: {title}. {error}</source>
        <translation>已不可行：{title}。{error}</translation>
    </message>
    <message>
        <source>Allowed for this conversation</source>
        <translation>已在此对话中允许</translation>
    </message>
    <message>
        <source>Allowed</source>
        <translation>已允许</translation>
    </message>
    <message>
        <source>{count} points</source>
        <translation>{count} 个点</translation>
    </message>
    <message>
        <source>and 1 more change</source>
        <translation>另有 1 处更改</translation>
    </message>
    <message>
        <source>and {more} more changes</source>
        <translation>另有 {more} 处更改</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>{rays}: click to highlight, double click (Z) to zoom.</source>
        <translation>{rays}：单击突出显示，双击（Z）放大。</translation>
    </message>
    <message>
        <source>Show all rows</source>
        <translation>显示所有行</translation>
    </message>
    <message>
        <source>Arguments and result</source>
        <translation>参数与结果</translation>
    </message>
    <message>
        <source>The picture that the model saw</source>
        <translation>模型所见的图片</translation>
    </message>
    <message>
        <source>{values}
… {rest} more characters</source>
        <translation>{values}
… 另有 {rest} 个字符</translation>
    </message>
    <message>
        <source>… {count} more parts</source>
        <translation>… 另有 {count} 部分</translation>
    </message>
    <message>
        <source>scene: the open document, as in rb.Scene; the changes of a cell are one step of its history
light: its light, and selection: the names of the selected objects, as they were before the cell
rb: raybench, np: numpy

</source>
        <translation>scene：打开的文档，如 rb.Scene；一个单元的更改为其历史中的一步
light：其光，selection：所选对象的名称，均为执行该单元之前的状态
rb：raybench，np：numpy

</translation>
    </message>
    <message>
        <source>Reading the file</source>
        <translation>读取文件</translation>
    </message>
    <message>
        <source>Properties</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Pinning the measure</source>
        <translation>固定测量项</translation>
    </message>
    <message>
        <source>Objects, library and history</source>
        <translation>对象、元件库和历史</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>元件库</translation>
    </message>
    <message>
        <source>Properties and settings</source>
        <translation>属性和设置</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>{title} is locked and cannot be moved. Unlock it in its properties.</source>
        <translation>{title} 已锁定，不能移动。请在其属性中解锁。</translation>
    </message>
    <message>
        <source>{title} has no points to be moved by. Change it in its properties.</source>
        <translation>{title} 没有可用于移动的点。请在其属性中更改。</translation>
    </message>
    <message>
        <source>Canvas</source>
        <translation>画布</translation>
    </message>
    <message>
        <source>the repaint of the canvas</source>
        <translation>画布重绘</translation>
    </message>
    <message>
        <source>the picture of the rays</source>
        <translation>光线的图像</translation>
    </message>
    <message>
        <source>the full picture of the rays</source>
        <translation>光线的完整图像</translation>
    </message>
    <message>
        <source>the extent of the light</source>
        <translation>光的范围</translation>
    </message>
    <message>
        <source>the background</source>
        <translation>背景</translation>
    </message>
    <message>
        <source>the measurements</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>the picture of the objects</source>
        <translation>对象的图像</translation>
    </message>
    <message>
        <source>About an earlier state of the scene: undo, or ask again.</source>
        <translation>关于场景的较早状态：请撤销，或重新提问。</translation>
    </message>
    <message>
        <source>About another state of the scene, or by another version of Raybench: ask again.</source>
        <translation>关于场景的其他状态，或由其他版本的 Raybench 给出：请重新提问。</translation>
    </message>
    <message>
        <source>Trying again ({reason}) …</source>
        <translation>正在重试（{reason}）…</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Sources: {names}</source>
        <translation>来源：{names}</translation>
    </message>
    <message>
        <source>Not answered: {what}</source>
        <translation>未回答：{what}</translation>
    </message>
    <message>
        <source>Changed: {words}</source>
        <translation>已更改：{words}</translation>
    </message>
    <message>
        <source>Revert this {what}</source>
        <translation>撤回此{what}</translation>
    </message>
    <message>
        <source>Take back what this {what} changed, except what was changed since</source>
        <translation>撤回此{what}所作的更改，此后另有更改者除外</translation>
    </message>
    <message>
        <source>Reverted</source>
        <translation>已撤回</translation>
    </message>
    <message>
        <source>Undone</source>
        <translation>已撤销</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source> Not reverted, since changed in the meantime: {names}.</source>
        <translation> 因期间已更改而未撤回：{names}。</translation>
    </message>
    <message>
        <source>There is no crop box in this scene. Add one, or export the area &apos;scene&apos;.</source>
        <translation>此场景没有裁剪框。请添加一个，或导出区域 &apos;scene&apos;。</translation>
    </message>
    <message>
        <source>A picture of {width} x {height} pixels does not fit into memory. Choose a smaller size.</source>
        <translation>{width} x {height} 像素的图片超出内存。请选择更小的尺寸。</translation>
    </message>
    <message>
        <source>The figure cannot be written. Choose another size.</source>
        <translation>无法写入图形。请选择其他尺寸。</translation>
    </message>
    <message>
        <source>{name}: only a PNG picture is refined. Write to .png, or do not refine it.</source>
        <translation>{name}：只有 PNG 图像可以细化。请写入 .png，或不细化。</translation>
    </message>
    <message>
        <source>There is no light to export yet. Wait until the scene is traced.</source>
        <translation>尚无可导出的光。请等待场景追迹完成。</translation>
    </message>
    <message>
        <source>Reading the measurements</source>
        <translation>读取测量</translation>
    </message>
    <message>
        <source>{draws} draws, ± {error} %</source>
        <translation>{draws} 次抽样，± {error} %</translation>
    </message>
    <message>
        <source>Refining the light</source>
        <translation>细化光</translation>
    </message>
    <message>
        <source>relative power per {length}</source>
        <translation>相对功率/{length}</translation>
    </message>
    <message>
        <source>relative power</source>
        <translation>相对功率</translation>
    </message>
    <message>
        <source>{texts} and {count} more</source>
        <translation>{texts} 等另 {count} 项</translation>
    </message>
    <message>
        <source>has no effect: it lies in one point. Move its ends apart.</source>
        <translation>无效果：缩为一点。请将两端移开。</translation>
    </message>
    <message>
        <source>has no outline: it has no pieces. Give at least one.</source>
        <translation>没有轮廓：没有分段。请至少给出一段。</translation>
    </message>
    <message>
        <source>has no outline: its curve has {count} nodes. Give at least 2.</source>
        <translation>没有轮廓：曲线有 {count} 个节点。请至少给出 2 个。</translation>
    </message>
    <message>
        <source>has nothing to draw: its strokes have no points.</source>
        <translation>没有可绘制的内容：笔画没有点。</translation>
    </message>
    <message>
        <source>has no irradiance map: binSize is {bin_size:g}, which does not give 1 to {most:,} bins</source>
        <translation>没有辐照度图：binSize 为 {bin_size:g}，不能给出 1 到 {most:,} 个区间</translation>
    </message>
    <message>
        <source>{fault}.</source>
        <translation>{fault}。</translation>
    </message>
    <message>
        <source>absorbs all light at its surface: refIndex is {ref_index:g}. Give another index.</source>
        <translation>在表面吸收全部光：refIndex 为 {ref_index:g}。请给出其他折射率。</translation>
    </message>
    <message>
        <source>does not close: its outline has a gap of {gap:.3g}, so inside and outside cannot be distinguished. Close it.</source>
        <translation>未闭合：轮廓有 {gap:.3g} 的缺口，无法区分内外。请将其闭合。</translation>
    </message>
    <message>
        <source>encloses no area: its sides lie on each other. Move its points apart.</source>
        <translation>不围成面积：各边重合。请将各点移开。</translation>
    </message>
    <message>
        <source>runs counter-clockwise as seen, so its inside and outside are swapped for light. Write -t for t in its formulas, and change tMin and tMax accordingly.</source>
        <translation>按所见为逆时针走向，因此对光而言内外颠倒。请在公式中将 t 写为 -t，并相应更改 tMin 和 tMax。</translation>
    </message>
    <message>
        <source>has no effect: lineDensity is {line_density:g}. Give a number of lines above 0.</source>
        <translation>无效果：lineDensity 为 {line_density:g}。请给出大于 0 的刻线数。</translation>
    </message>
    <message>
        <source>has impossible slits: slitRatio is {slit_ratio:g}, but a fraction is from 0 to 1.</source>
        <translation>狭缝不可能存在：slitRatio 为 {slit_ratio:g}，而比例应在 0 到 1 之间。</translation>
    </message>
    <message>
        <source>gives orders negative power: see brightnesses.</source>
        <translation>使某些级次具有负功率：见 brightnesses。</translation>
    </message>
    <message>
        <source>has no outline: its params lack {names}. Give what is missing.</source>
        <translation>没有轮廓：params 缺少 {names}。请补全。</translation>
    </message>
    <message>
        <source>has no outline: no lens fits its definition. Give a thickness, and radii that reach from rim to rim.</source>
        <translation>没有轮廓：没有符合其定义的透镜。请给出厚度以及能从一侧边缘延伸到另一侧的半径。</translation>
    </message>
    <message>
        <source>absorbs all light: focalLength is 0. Give another focal length.</source>
        <translation>吸收全部光：focalLength 为 0。请给出其他焦距。</translation>
    </message>
    <message>
        <source>does not conserve power: transRatio is {trans_ratio:g}, but a fraction is from 0 to 1.</source>
        <translation>功率不守恒：transRatio 为 {trans_ratio:g}，而比例应在 0 到 1 之间。</translation>
    </message>
    <message>
        <source>{name} ({noun})</source>
        <translation>{name} ({noun})</translation>
    </message>
    <message>
        <source>has no effect: {error}</source>
        <translation>无效果：{error}</translation>
    </message>
    <message>
        <source>has no effect: {field} is {value:g}; give a fraction from 0 to 1.</source>
        <translation>无效果：{field} 为 {value:g}；请给出 0 到 1 之间的比例。</translation>
    </message>
    <message>
        <source>emits nothing: emisAngle is {emis_angle:g}. Give an angle of 0° or more.</source>
        <translation>不发光：emisAngle 为 {emis_angle:g}。请给出不小于 0° 的角度。</translation>
    </message>
    <message>
        <source>emits negative power: brightness is {brightness:g}.</source>
        <translation>发射负功率：brightness 为 {brightness:g}。</translation>
    </message>
    <message>
        <source>has no colour: wavelength is {wavelength:g} nm, which must be above 0 where colours are simulated.</source>
        <translation>没有颜色：wavelength 为 {wavelength:g} nm，模拟颜色时必须大于 0。</translation>
    </message>
    <message>
        <source>has no direction, since its points coincide; it emits to the right.</source>
        <translation>没有方向，因为各点重合；向右发光。</translation>
    </message>
    <message>
        <source>emits in some directions more than once: emisAngle is {emis_angle:g}°, more than a full turn.</source>
        <translation>在某些方向上重复发光：emisAngle 为 {emis_angle:g}°，超过一整圈。</translation>
    </message>
    <message>
        <source>configuration {index}</source>
        <translation>组态 {index}</translation>
    </message>
    <message>
        <source>{before} -&gt; {after} surfaces</source>
        <translation>{before} -&gt; {after} 个面</translation>
    </message>
    <message>
        <source>{label} {before} -&gt; {after}</source>
        <translation>{label} {before} -&gt; {after}</translation>
    </message>
    <message>
        <source>surface {row} a mirror</source>
        <translation>面 {row} 为反射镜</translation>
    </message>
    <message>
        <source>surface {row} no mirror</source>
        <translation>面 {row} 不为反射镜</translation>
    </message>
    <message>
        <source>links</source>
        <translation>关联</translation>
    </message>
    <message>
        <source>merit</source>
        <translation>评价函数</translation>
    </message>
    <message>
        <source>configurations</source>
        <translation>组态</translation>
    </message>
    <message>
        <source>{value:.6g}</source>
        <translation>{value:.6g}</translation>
    </message>
    <message>
        <source>no light here</source>
        <translation>此处无光</translation>
    </message>
    <message>
        <source>no object here</source>
        <translation>此处无对象</translation>
    </message>
    <message>
        <source>not traced yet</source>
        <translation>尚未追迹</translation>
    </message>
    <message>
        <source>{value:.5g}</source>
        <translation>{value:.5g}</translation>
    </message>
    <message>
        <source>{value:.{digits}f}</source>
        <translation>{value:.{digits}f}</translation>
    </message>
    <message>
        <source>{value:.{digits}f}°</source>
        <translation>{value:.{digits}f}°</translation>
    </message>
    <message>
        <source>{length} {unit}</source>
        <translation>{length} {unit}</translation>
    </message>
    <message>
        <source>no angle</source>
        <translation>无角度</translation>
    </message>
    <message>
        <source>no straight edge here</source>
        <translation>此处无直边</translation>
    </message>
    <message>
        <source>no arc here</source>
        <translation>此处无圆弧</translation>
    </message>
    <message>
        <source>R {length} {unit}</source>
        <translation>R {length} {unit}</translation>
    </message>
    <message>
        <source>({x}, {y}) {unit}</source>
        <translation>({x}, {y}) {unit}</translation>
    </message>
    <message>
        <source>no focus</source>
        <translation>无焦点</translation>
    </message>
    <message>
        <source>{first}, {then}</source>
        <translation>{first}，{then}</translation>
    </message>
    <message>
        <source>an object that it names was deleted</source>
        <translation>其所指的对象已删除</translation>
    </message>
    <message>
        <source>{name} {number}</source>
        <translation>{name} {number}</translation>
    </message>
    <message>
        <source>undefined</source>
        <translation>未定义</translation>
    </message>
    <message>
        <source>{value:.{digits}f}{unit}</source>
        <translation>{value:.{digits}f}{unit}</translation>
    </message>
    <message>
        <source>{objects}: edge {edge} without a label</source>
        <translation>{objects}：边 {edge} 无标签</translation>
    </message>
    <message>
        <source>{objects}: edge {edge} labelled {label}</source>
        <translation>{objects}：边 {edge} 标记为 {label}</translation>
    </message>
    <message>
        <source>{objects} grouped as {name}</source>
        <translation>{objects} 已组成 {name}</translation>
    </message>
    <message>
        <source>{objects} ungrouped</source>
        <translation>{objects} 已取消组合</translation>
    </message>
    <message>
        <source>{edges} coated with {name}</source>
        <translation>{edges} 镀 {name}</translation>
    </message>
    <message>
        <source>film {film:g} {thickness:g} nm thick</source>
        <translation>膜层 {film:g} 厚 {thickness:g} nm</translation>
    </message>
    <message>
        <source>{edges} {film}</source>
        <translation>{edges} {film}</translation>
    </message>
    <message>
        <source>{edges} without a coating</source>
        <translation>{edges} 无镀膜</translation>
    </message>
    <message>
        <source>{objects} duplicated</source>
        <translation>已创建 {objects} 的副本</translation>
    </message>
    <message>
        <source>{done} {count:g} times</source>
        <translation>{done} {count:g} 次</translation>
    </message>
    <message>
        <source>{done} as {name}</source>
        <translation>{done}，名为 {name}</translation>
    </message>
    <message>
        <source>{edges} without a finish</source>
        <translation>{edges} 无表面处理</translation>
    </message>
    <message>
        <source>{edges} finished: {finish}</source>
        <translation>{edges} 表面处理：{finish}</translation>
    </message>
    <message>
        <source>{name} unlinked</source>
        <translation>{name} 已解除关联</translation>
    </message>
    <message>
        <source>{name} linked: = {expression}</source>
        <translation>{name} 已关联：= {expression}</translation>
    </message>
    <message>
        <source>{objects} without a material</source>
        <translation>{objects} 无材料</translation>
    </message>
    <message>
        <source>nearest glasses</source>
        <translation>最接近的玻璃</translation>
    </message>
    <message>
        <source>{objects}: material {name}</source>
        <translation>{objects}：材料 {name}</translation>
    </message>
    <message>
        <source>Modules {names} defined</source>
        <translation>已定义模块 {names}</translation>
    </message>
    <message>
        <source>Module {name} defined</source>
        <translation>已定义模块 {name}</translation>
    </message>
    <message>
        <source>Module {name} removed</source>
        <translation>已移除模块 {name}</translation>
    </message>
    <message>
        <source>{objects} made the module {name}</source>
        <translation>{objects} 已成为模块 {name}</translation>
    </message>
    <message>
        <source>{done}, here {instance}</source>
        <translation>{done}，此处为 {instance}</translation>
    </message>
    <message>
        <source>{objects} broken up into parts</source>
        <translation>{objects} 已分解为部件</translation>
    </message>
    <message>
        <source>{count} objects added</source>
        <translation>已添加 {count} 个对象</translation>
    </message>
    <message>
        <source>{objects} added</source>
        <translation>已添加 {objects}</translation>
    </message>
    <message>
        <source>{kind} {name} added</source>
        <translation>已添加{kind} {name}</translation>
    </message>
    <message>
        <source>{objects} deleted</source>
        <translation>已删除 {objects}</translation>
    </message>
    <message>
        <source>{objects} reordered</source>
        <translation>{objects} 已重排</translation>
    </message>
    <message>
        <source>({x:z.6g}, {y:z.6g}) {unit}</source>
        <translation>({x:z.6g}, {y:z.6g}) {unit}</translation>
    </message>
    <message>
        <source>{objects} moved by {by}</source>
        <translation>{objects} 移动 {by}</translation>
    </message>
    <message>
        <source>{objects} moved to {to}</source>
        <translation>{objects} 移到 {to}</translation>
    </message>
    <message>
        <source>{done} and by {by}</source>
        <translation>{done}，并移动 {by}</translation>
    </message>
    <message>
        <source>{done} about {place}</source>
        <translation>{done}，绕 {place}</translation>
    </message>
    <message>
        <source>{objects} turned by {angle} clockwise</source>
        <translation>{objects} 顺时针旋转 {angle}</translation>
    </message>
    <message>
        <source>{objects} turned by {angle} counter-clockwise</source>
        <translation>{objects} 逆时针旋转 {angle}</translation>
    </message>
    <message>
        <source>{objects} scaled by {factor:.6g}</source>
        <translation>{objects} 缩放 {factor:.6g} 倍</translation>
    </message>
    <message>
        <source>a vertical line</source>
        <translation>竖直线</translation>
    </message>
    <message>
        <source>a horizontal line</source>
        <translation>水平线</translation>
    </message>
    <message>
        <source>a line at {angle}</source>
        <translation>{angle} 方向的直线</translation>
    </message>
    <message>
        <source>{objects} mirrored at {line}</source>
        <translation>{objects} 以{line}镜像</translation>
    </message>
    <message>
        <source>{objects} made a part</source>
        <translation>{objects} 已成为元件</translation>
    </message>
    <message>
        <source>{value:.6g}{unit}</source>
        <translation>{value:.6g}{unit}</translation>
    </message>
    <message>
        <source>{objects} rewritten</source>
        <translation>{objects} 已改写</translation>
    </message>
    <message>
        <source>{objects}: {changes}</source>
        <translation>{objects}：{changes}</translation>
    </message>
    <message>
        <source>no name</source>
        <translation>无名称</translation>
    </message>
    <message>
        <source>{objects} locked</source>
        <translation>已锁定 {objects}</translation>
    </message>
    <message>
        <source>{objects} unlocked</source>
        <translation>已解锁 {objects}</translation>
    </message>
    <message>
        <source>{label} stays {value}</source>
        <translation>{label}仍为 {value}</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>{label} -&gt; {after}</source>
        <translation>{label} -&gt; {after}</translation>
    </message>
    <message>
        <source>Settings: {changes}</source>
        <translation>设置：{changes}</translation>
    </message>
    <message>
        <source>material</source>
        <translation>材料</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>added ({noun})</source>
        <translation>新增（{noun}）</translation>
    </message>
    <message>
        <source>disabled</source>
        <translation>已停用</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>已隐藏</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>label</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>{noun} of edge {edge}</source>
        <translation>边 {edge} 的{noun}</translation>
    </message>
    <message>
        <source>Group {name}</source>
        <translation>组 {name}</translation>
    </message>
    <message>
        <source>objects</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>Measurement {name}</source>
        <translation>测量 {name}</translation>
    </message>
    <message>
        <source>points</source>
        <translation>点</translation>
    </message>
    <message>
        <source>View {name}</source>
        <translation>视图 {name}</translation>
    </message>
    <message>
        <source>area</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>Link {name}</source>
        <translation>关联 {name}</translation>
    </message>
    <message>
        <source>formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>in force</source>
        <translation>有效</translation>
    </message>
    <message>
        <source>none: its objects are free</source>
        <translation>无：其对象已独立</translation>
    </message>
    <message>
        <source>added: {text}</source>
        <translation>新增：{text}</translation>
    </message>
    <message>
        <source>unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>unit of power</source>
        <translation>功率单位</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>definition</source>
        <translation>定义</translation>
    </message>
    <message>
        <source>Study {name}</source>
        <translation>研究 {name}</translation>
    </message>
    <message>
        <source>Slider {name}</source>
        <translation>滑块 {name}</translation>
    </message>
    <message>
        <source>range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Kept entry {name}</source>
        <translation>保留的条目 {name}</translation>
    </message>
    <message>
        <source>value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>defined</source>
        <translation>已定义</translation>
    </message>
    <message>
        <source>redefined</source>
        <translation>已重新定义</translation>
    </message>
    <message>
        <source>background</source>
        <translation>背景图</translation>
    </message>
    <message>
        <source>sheet</source>
        <translation>图纸</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>scene named {name}</source>
        <translation>场景命名为 {name}</translation>
    </message>
    <message>
        <source>scene without a name</source>
        <translation>场景无名称</translation>
    </message>
    <message>
        <source>study</source>
        <translation>研究</translation>
    </message>
    <message>
        <source>background {file}</source>
        <translation>背景 {file}</translation>
    </message>
    <message>
        <source>no background</source>
        <translation>无背景</translation>
    </message>
    <message>
        <source>{name} changed</source>
        <translation>{name} 已更改</translation>
    </message>
    <message>
        <source>{name} measured</source>
        <translation>{name} 已测量</translation>
    </message>
    <message>
        <source>{name} removed</source>
        <translation>{name} 已移除</translation>
    </message>
    <message>
        <source>view</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>sheet changed</source>
        <translation>图纸已更改</translation>
    </message>
    <message>
        <source>no sheet</source>
        <translation>无图纸</translation>
    </message>
    <message>
        <source>slider</source>
        <translation>滑块</translation>
    </message>
    <message>
        <source>{name} kept</source>
        <translation>{name} 已保留</translation>
    </message>
    <message>
        <source>Document: {changes}</source>
        <translation>文档：{changes}</translation>
    </message>
    <message>
        <source>{what} {name} saved</source>
        <translation>已保存{what} {name}</translation>
    </message>
    <message>
        <source>{what} {name} removed</source>
        <translation>已移除{what} {name}</translation>
    </message>
    <message>
        <source>no {what} changed</source>
        <translation>{what}无更改</translation>
    </message>
    <message>
        <source>{changes} and 1 more change</source>
        <translation>{changes}，另有 1 项更改</translation>
    </message>
    <message>
        <source>{changes} and {more} more changes</source>
        <translation>{changes}，另有 {more} 项更改</translation>
    </message>
    <message>
        <source>{changes}; the objects of {names} are free now</source>
        <translation>{changes}；{names} 的对象现已独立</translation>
    </message>
    <message>
        <source>{changes}; {names} unlinked</source>
        <translation>{changes}；已解除 {names} 的关联</translation>
    </message>
    <message>
        <source>{objects}: all edges</source>
        <translation>{objects}：所有边</translation>
    </message>
    <message>
        <source>{objects}: edge {edge}</source>
        <translation>{objects}：边 {edge}</translation>
    </message>
    <message>
        <source>{label}{rest}</source>
        <translation>{label}{rest}</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>({x:.6g}, {y:.6g})</source>
        <translation>({x:.6g}, {y:.6g})</translation>
    </message>
    <message>
        <source>{point} {unit}</source>
        <translation>{point} {unit}</translation>
    </message>
    <message>
        <source>{label} {value}</source>
        <translation>{label} {value}</translation>
    </message>
    <message>
        <source>1 item</source>
        <translation>1 项</translation>
    </message>
    <message>
        <source>{count} items</source>
        <translation>{count} 项</translation>
    </message>
    <message>
        <source>{label} {part}</source>
        <translation>{label} {part}</translation>
    </message>
    <message>
        <source>{object} is kept but has no effect: {reason}</source>
        <translation>{object} 已保留但无效果：{reason}</translation>
    </message>
    <message>
        <source>Delete it</source>
        <translation>删除它</translation>
    </message>
    <message>
        <source>{object} {fault}</source>
        <translation>{object} {fault}</translation>
    </message>
    <message>
        <source>{object}: unknown property {name} is kept but has no effect.</source>
        <translation>{object}：未知属性 {name} 已保留但无效果。</translation>
    </message>
    <message>
        <source>at least {limit:g}</source>
        <translation>至少 {limit:g}</translation>
    </message>
    <message>
        <source>at most {limit:g}</source>
        <translation>至多 {limit:g}</translation>
    </message>
    <message>
        <source>{object}: {field} is {value:g}, out of its range. Give {bound}.</source>
        <translation>{object}：{field} 为 {value:g}，超出范围。请给出{bound}。</translation>
    </message>
    <message>
        <source>Set {value:g}</source>
        <translation>设为 {value:g}</translation>
    </message>
    <message>
        <source>Remove one</source>
        <translation>移除一个</translation>
    </message>
    <message>
        <source>{object} has two edges labelled {name}, so that the label refers to neither. Change one.</source>
        <translation>{object} 有两条边标记为 {name}，因此该标签不指向任何一条。请更改其一。</translation>
    </message>
    <message>
        <source>{object} emits nothing: its power is 0. Give it power.</source>
        <translation>{object} 不发光：功率为 0。请给出功率。</translation>
    </message>
    <message>
        <source>Set 1</source>
        <translation>设为 1</translation>
    </message>
    <message>
        <source>{object} is too thin for its aperture: its surfaces cross at the rim. Make it thicker.</source>
        <translation>{object} 相对其口径太薄：两面在边缘处相交。请加厚。</translation>
    </message>
    <message>
        <source>{object} crosses itself: where its sides cross, inside and outside change places. Move its points.</source>
        <translation>{object} 自相交：各边相交处内外互换。请移动其点。</translation>
    </message>
    <message>
        <source>Make it {thickness:g} thick</source>
        <translation>厚度设为 {thickness:g}</translation>
    </message>
    <message>
        <source>Make the radii {reach:g}</source>
        <translation>半径设为 {reach:g}</translation>
    </message>
    <message>
        <source>Delete the second</source>
        <translation>删除第二个</translation>
    </message>
    <message>
        <source>{object} is the same as {name} and lies on it. Delete one of the two.</source>
        <translation>{object} 与 {name} 相同且重合。请删除其一。</translation>
    </message>
    <message>
        <source>{object} has the name of another object, so that the name refers to neither. Rename one of the two.</source>
        <translation>{object} 与另一对象同名，因此该名称不指向任何一个。请重命名其一。</translation>
    </message>
    <message>
        <source>Name it {name}</source>
        <translation>命名为 {name}</translation>
    </message>
    <message>
        <source>{object} lies on {name}: which of them light meets is not defined. Move one of them.</source>
        <translation>{object} 与 {name} 重合：光遇到哪一个没有定义。请移动其一。</translation>
    </message>
    <message>
        <source>Move it by 1</source>
        <translation>移动 1</translation>
    </message>
    <message>
        <source>{object} is less dense than vacuum: refIndex is {ref_index:g}, and no glass is around it. Give 1 or more.</source>
        <translation>{object} 的光密度低于真空：refIndex 为 {ref_index:g}，且周围没有玻璃。请给出不小于 1 的值。</translation>
    </message>
    <message>
        <source>Unknown setting {name} is kept but has no effect.</source>
        <translation>未知设置 {name} 已保留但无效果。</translation>
    </message>
    <message>
        <source>Remove it</source>
        <translation>移除它</translation>
    </message>
    <message>
        <source>The largest depth (maxRayDepth) is {given:g}: as with 0, rays end where they first meet something.</source>
        <translation>最大深度 (maxRayDepth) 为 {given:g}：与 0 相同，光线在首次遇到物体处终止。</translation>
    </message>
    <message>
        <source>Remove the limit</source>
        <translation>移除限制</translation>
    </message>
    <message>
        <source>Module {name} is kept but cannot be used: {trouble}.</source>
        <translation>模块 {name} 已保留但无法使用：{trouble}。</translation>
    </message>
    <message>
        <source>Module {name}: unknown property {property} is kept but has no effect.</source>
        <translation>模块 {name}：未知属性 {property} 已保留但无效果。</translation>
    </message>
    <message>
        <source>Unknown entry {name} of the document&apos;s file is kept but has no effect.</source>
        <translation>文档文件中的未知条目 {name} 已保留但无效果。</translation>
    </message>
    <message>
        <source>{name}: {count} more problems of its parts.</source>
        <translation>{name}：其部件另有 {count} 个问题。</translation>
    </message>
    <message>
        <source>{reason}. It is kept but has no parts.</source>
        <translation>{reason}。已保留但没有部件。</translation>
    </message>
    <message>
        <source>its module makes none with these points and parameters</source>
        <translation>其模块在这些点和参数下不生成部件</translation>
    </message>
    <message>
        <source>{object} has no parts: {why}. Change them or the module, or delete it.</source>
        <translation>{object} 没有部件：{why}。请更改它们或模块，或将其删除。</translation>
    </message>
    <message>
        <source>is kept but has no effect: {reason}</source>
        <translation>已保留但无效果：{reason}</translation>
    </message>
    <message>
        <source>{name} reloaded</source>
        <translation>已重新载入 {name}</translation>
    </message>
    <message>
        <source>Reverted: {changes}</source>
        <translation>已还原：{changes}</translation>
    </message>
    <message>
        <source>{name} ({noun}, object {place} of the file)</source>
        <translation>{name}（{noun}，文件中的第 {place} 个对象）</translation>
    </message>
    <message>
        <source>it has no &apos;type&apos;</source>
        <translation>缺少“type”</translation>
    </message>
    <message>
        <source>objects of type {type_name} are not supported</source>
        <translation>不支持类型为 {type_name} 的对象</translation>
    </message>
    <message>
        <source>it is not finished: &apos;{name}&apos; is missing</source>
        <translation>未完成：缺少“{name}”</translation>
    </message>
    <message>
        <source>it is not finished</source>
        <translation>未完成</translation>
    </message>
    <message>
        <source>{name} is how far it is turned</source>
        <translation>{name} 是转动量</translation>
    </message>
    <message>
        <source>{name} is how far it is moved</source>
        <translation>{name} 是移动量</translation>
    </message>
    <message>
        <source>{motions} from where it stands.</source>
        <translation>{motions}，从其当前位置起算。</translation>
    </message>
    <message>
        <source>Radius of surface {row}</source>
        <translation>面 {row} 的半径</translation>
    </message>
    <message>
        <source>Curvature of surface {row}</source>
        <translation>面 {row} 的曲率</translation>
    </message>
    <message>
        <source>Distance behind surface {row}</source>
        <translation>面 {row} 后的间距</translation>
    </message>
    <message>
        <source>Conic constant of surface {row}</source>
        <translation>面 {row} 的圆锥常数</translation>
    </message>
    <message>
        <source>Semi-diameter of surface {row}</source>
        <translation>面 {row} 的半口径</translation>
    </message>
    <message>
        <source>Medium behind surface {row}</source>
        <translation>面 {row} 后的介质</translation>
    </message>
    <message>
        <source>Index behind surface {row}</source>
        <translation>面 {row} 后的折射率</translation>
    </message>
    <message>
        <source>Field {row}</source>
        <translation>视场 {row}</translation>
    </message>
    <message>
        <source>Object distance</source>
        <translation>物距</translation>
    </message>
    <message>
        <source>Radius of the image surface</source>
        <translation>像面半径</translation>
    </message>
    <message>
        <source>Coefficient of y^{power} of surface {row}</source>
        <translation>面 {row} 的 y^{power} 系数</translation>
    </message>
    <message>
        <source>{name} is disabled, so it is left out.</source>
        <translation>{name} 已停用，因此略去。</translation>
    </message>
    <message>
        <source>The unit of power is left out.</source>
        <translation>略去功率单位。</translation>
    </message>
    <message>
        <source>Powers are relative: 1 is {full:.6g} {unit}.</source>
        <translation>功率为相对值：1 相当于 {full:.6g} {unit}。</translation>
    </message>
    <message>
        <source>Parts of modules lose what is not in the module: {names}.</source>
        <translation>模块的部件失去模块中没有的内容：{names}。</translation>
    </message>
    <message>
        <source>Labels of edges are left out</source>
        <translation>略去边的标签</translation>
    </message>
    <message>
        <source>Groups are left out</source>
        <translation>略去组</translation>
    </message>
    <message>
        <source>Hidden objects are shown</source>
        <translation>隐藏的对象变为显示</translation>
    </message>
    <message>
        <source>Measurements are left out</source>
        <translation>略去测量</translation>
    </message>
    <message>
        <source>Saved views are left out</source>
        <translation>略去已保存的视图</translation>
    </message>
    <message>
        <source>Objects stay without the data of their preset or lens</source>
        <translation>对象保留，但不含其预设或透镜的数据</translation>
    </message>
    <message>
        <source>Links of numbers are left out</source>
        <translation>略去数值的关联</translation>
    </message>
    <message>
        <source>Sliders are left out</source>
        <translation>略去滑块</translation>
    </message>
    <message>
        <source>Studies are left out</source>
        <translation>略去研究</translation>
    </message>
    <message>
        <source>Unknown entries of the document&apos;s file are left out</source>
        <translation>略去文档文件中的未知条目</translation>
    </message>
    <message>
        <source>{words}: {names}.</source>
        <translation>{words}：{names}。</translation>
    </message>
    <message>
        <source>The background picture is left out.</source>
        <translation>略去背景图片。</translation>
    </message>
    <message>
        <source>The sheet of figures is left out.</source>
        <translation>略去图纸设置。</translation>
    </message>
    <message>
        <source>The unit of length {unit} is left out.</source>
        <translation>略去长度单位 {unit}。</translation>
    </message>
    <message>
        <source>All draws of this scene are the same: it has only single rays, and nothing is random. Add a source with a ray density, such as a beam.</source>
        <translation>此场景的所有抽样都相同：只有单条光线，且没有随机量。请添加有光线密度的光源，例如光束。</translation>
    </message>
    <message>
        <source>The colour mode Default does not show brightness. Set the scene&apos;s colour mode to Linear, or do not refine the picture.</source>
        <translation>默认颜色模式不显示亮度。请将场景的颜色模式设为线性，或不细化图像。</translation>
    </message>
    <message>
        <source>P = {number} {unit}</source>
        <translation>P = {number} {unit}</translation>
    </message>
    <message>
        <source>mean of {draws} draws, with its standard error</source>
        <translation>{draws} 次抽样的平均，附标准误差</translation>
    </message>
    <message>
        <source>{angle:g}°</source>
        <translation>{angle:g}°</translation>
    </message>
    <message>
        <source>× {ratio:g}</source>
        <translation>× {ratio:g}</translation>
    </message>
    <message>
        <source>r = {radius:.4g} {unit}</source>
        <translation>r = {radius:.4g} {unit}</translation>
    </message>
    <message>
        <source>{length:.4g} {unit}</source>
        <translation>{length:.4g} {unit}</translation>
    </message>
    <message>
        <source>{x:.4g}, {y:.4g} {unit}</source>
        <translation>{x:.4g}, {y:.4g} {unit}</translation>
    </message>
    <message>
        <source>{length:.4g} {unit}, {angle:g}°</source>
        <translation>{length:.4g} {unit}, {angle:g}°</translation>
    </message>
    <message>
        <source>lower rim ray</source>
        <translation>下边缘光线</translation>
    </message>
    <message>
        <source>chief ray</source>
        <translation>主光线</translation>
    </message>
    <message>
        <source>upper rim ray</source>
        <translation>上边缘光线</translation>
    </message>
    <message>
        <source>Surface {number} with the radius {radius:.6g} does not reach the height {half:.4g}. Make its semi-diameter smaller, or the radius longer.</source>
        <translation>半径为 {radius:.6g} 的面 {number} 达不到高度 {half:.4g}。请减小其半口径，或增大半径。</translation>
    </message>
    <message>
        <source>on the axis</source>
        <translation>在轴上</translation>
    </message>
    <message>
        <source>at the rim</source>
        <translation>在边缘</translation>
    </message>
    <message>
        <source>Surfaces {first} and {second} cross {where}, by {overlap:.4g} {unit}. Make the thickness larger, or a semi-diameter smaller.</source>
        <translation>面 {first} 与面 {second} {where}相交，重叠 {overlap:.4g} {unit}。请增大厚度，或减小半口径。</translation>
    </message>
    <message>
        <source>The {ray} of the field {field:g}{unit} {what} {surface}.</source>
        <translation>视场 {field:g}{unit} 的{ray}{what}{surface}。</translation>
    </message>
    <message>
        <source>the image surface</source>
        <translation>像面</translation>
    </message>
    <message>
        <source>misses</source>
        <translation>未到达</translation>
    </message>
    <message>
        <source>is totally reflected at</source>
        <translation>全反射于</translation>
    </message>
    <message>
        <source>vertical</source>
        <translation>竖直</translation>
    </message>
    <message>
        <source>horizontal</source>
        <translation>水平</translation>
    </message>
    <message>
        <source>perpendicular to {name}</source>
        <translation>垂直于 {name}</translation>
    </message>
    <message>
        <source>parallel to {name}</source>
        <translation>平行于 {name}</translation>
    </message>
    <message>
        <source>5 or &apos;5 {unit}&apos;</source>
        <translation>5 或“5 {unit}”</translation>
    </message>
    <message>
        <source>must be a number such as {example}; the text is empty</source>
        <translation>必须是数字，例如 {example}；文本为空</translation>
    </message>
    <message>
        <source>must be a number such as {example}; the text has {count} characters, at most {most} are read</source>
        <translation>必须是数字，例如 {example}；文本有 {count} 个字符，最多读取 {most} 个</translation>
    </message>
    <message>
        <source>has &apos;{found}&apos; in {text!r}; write {found}3 for a power of ten, or a * before the number e</source>
        <translation>{text!r} 中有“{found}”；10 的幂请写 {found}3，或在数 e 前写 *</translation>
    </message>
    <message>
        <source>has terms with and without a unit in {text!r}; give each term its unit</source>
        <translation>{text!r} 中有的项有单位而有的没有；请为每一项写出单位</translation>
    </message>
    <message>
        <source>has commas in {text!r}; write it without them</source>
        <translation>{text!r} 中有逗号；请去掉</translation>
    </message>
    <message>
        <source>has a point and a comma in {text!r}; write {written}</source>
        <translation>{text!r} 中既有小数点又有逗号；请写 {written}</translation>
    </message>
    <message>
        <source>has a comma in {text!r}; write {point} with a decimal point or {none} without a comma</source>
        <translation>{text!r} 中有逗号；请写 {point}（小数点）或 {none}（无逗号）</translation>
    </message>
    <message>
        <source>has an angle without a unit in &apos;{name}({argument})&apos;; write {name}({argument} deg) or {name}({argument} rad)</source>
        <translation>“{name}({argument})”中的角度没有单位；请写 {name}({argument} deg) 或 {name}({argument} rad)</translation>
    </message>
    <message>
        <source>has an angle in radians, of &apos;{found}…)&apos;; write rad after it</source>
        <translation>“{found}…)”的角度为弧度；请在其后写 rad</translation>
    </message>
    <message>
        <source>in {text!r} </source>
        <translation>{text!r} 中的 </translation>
    </message>
    <message>
        <source>must be a number such as {example}; {where}{name!r} is not a number or function; units end a term</source>
        <translation>必须是数字，例如 {example}；{where}{name!r} 不是数字或函数；单位写在项的末尾</translation>
    </message>
    <message>
        <source>must be a number such as {example}; {text!r} is not: {error}</source>
        <translation>必须是数字，例如 {example}；{text!r} 不是：{error}</translation>
    </message>
    <message>
        <source>must be a finite number; {text!r} is not</source>
        <translation>必须是有限数；{text!r} 不是</translation>
    </message>
    <message>
        <source>is too large for a number</source>
        <translation>超出数字范围</translation>
    </message>
    <message>
        <source>is in &apos;{written}&apos;; give one of {units}</source>
        <translation>单位为“{written}”；请用 {units} 之一</translation>
    </message>
    <message>
        <source>is in &apos;{written}&apos;; give a number without a unit</source>
        <translation>单位为“{written}”；请输入不带单位的数字</translation>
    </message>
    <message>
        <source>No lens of this thickness has this focal length. Make it thinner, or the focal length longer.</source>
        <translation>此厚度的透镜无法具有此焦距。请减小厚度，或增大焦距。</translation>
    </message>
    <message>
        <source>A surface has the radius {radius}, too small for a diameter of {diameter}. Make the diameter at most {most}, or the focal length longer.</source>
        <translation>一个面的半径为 {radius}，对直径 {diameter} 而言太小。请使直径不超过 {most}，或增大焦距。</translation>
    </message>
    <message>
        <source>Its surfaces cross at the rim: they bulge by {bulge} together. Make the thickness more than {bulge}, or the diameter smaller.</source>
        <translation>两面在边缘处相交：矢高之和为 {bulge}。请使厚度大于 {bulge}，或减小直径。</translation>
    </message>
    <message>
        <source>{crown} and {flint} disperse alike (V = {v1:.1f} and {v2:.1f}). Take glasses that differ more.</source>
        <translation>{crown} 与 {flint} 的色散相近（V = {v1:.1f} 和 {v2:.1f}）。请选用差别更大的玻璃。</translation>
    </message>
    <message>
        <source>No cemented doublet of this diameter has this focal length. Make the diameter smaller, or the focal length longer.</source>
        <translation>此直径的胶合双片无法具有此焦距。请减小直径，或增大焦距。</translation>
    </message>
    <message>
        <source>The focal length is 0. Give another one.</source>
        <translation>焦距为 0。请给出其他值。</translation>
    </message>
    <message>
        <source>{value:.4g}{unit}</source>
        <translation>{value:.4g}{unit}</translation>
    </message>
    <message>
        <source>{name} is opaque: light does not get through it. Choose a glass.</source>
        <translation>{name} 不透明：光无法通过。请选择玻璃。</translation>
    </message>
    <message>
        <source>{name} has the index {index:.4g}; total reflection at 45° needs more than {least:.4g}. Choose another one.</source>
        <translation>{name} 的折射率为 {index:.4g}；45° 全反射要求大于 {least:.4g}。请另选材料。</translation>
    </message>
    <message>
        <source>In a material with the index {index:.4g} the base does not reflect totally. Choose one with a higher index.</source>
        <translation>折射率为 {index:.4g} 的材料中底面不发生全反射。请选择折射率更高的材料。</translation>
    </message>
    <message>
        <source>Its lenses overlap. Make the focal length longer, or the magnification larger.</source>
        <translation>其透镜重叠。请增大焦距，或增大放大率。</translation>
    </message>
    <message>
        <source>It is too wide to be bent so much. Make the width less than {width}, or the bend smaller.</source>
        <translation>太宽，无法如此弯曲。请使宽度小于 {width}，或减小弯曲。</translation>
    </message>
    <message>
        <source>{name} is not linked.</source>
        <translation>{name} 没有关联。</translation>
    </message>
    <message>
        <source>A document has at most {most} links.</source>
        <translation>一个文档最多有 {most} 个关联。</translation>
    </message>
    <message>
        <source>{link} names no other number. Set the number itself.</source>
        <translation>{link} 没有引用其他数值。请直接设置该数值。</translation>
    </message>
    <message>
        <source>{name} is a motion, which no number holds: write {place}.</source>
        <translation>{name} 是一种移动，没有数值保存它：请写 {place}。</translation>
    </message>
    <message>
        <source>{link} contradicts itself or another link. Remove one of them.</source>
        <translation>{link} 与自身或其他关联矛盾。请删除其中一个。</translation>
    </message>
    <message>
        <source>{link}: {fault}</source>
        <translation>{link}：{fault}</translation>
    </message>
    <message>
        <source>{name} is linked: = {expression}. Unlink it first: type = alone, or give {change}.</source>
        <translation>{name} 已关联：= {expression}。请先解除：只输入 =，或给出 {change}。</translation>
    </message>
    <message>
        <source>{text} is not a link. Write a parameter and a formula, such as Lens 2.x = Lens 1.x + 40.</source>
        <translation>{text} 不是关联。请写一个参数和一个公式，例如 Lens 2.x = Lens 1.x + 40。</translation>
    </message>
    <message>
        <source>{name} is linked twice: &apos;{other}&apos; and &apos;{link}&apos;. Keep one of the two.</source>
        <translation>{name} 被关联了两次：“{other}”和“{link}”。请保留其中一个。</translation>
    </message>
    <message>
        <source>{name} is varied and linked (&apos;{link}&apos;). Keep one of the two.</source>
        <translation>{name} 既被改变又被关联（“{link}”）。请保留其中之一。</translation>
    </message>
    <message>
        <source>The links form a circle: {circle}. Remove one of them.</source>
        <translation>关联形成循环：{circle}。请删除其中一个。</translation>
    </message>
    <message>
        <source>{text} names no parameter. Write an object and a place, such as Lens.focalLength or Prism.angle.</source>
        <translation>{text} 不是参数。请写物体和位置，例如 Lens.focalLength 或 Prism.angle。</translation>
    </message>
</context>
</TS>
